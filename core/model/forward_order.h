// SPDX-License-Identifier: Apache-2.0
// ForwardOrder: the parameters of a module's `forward` as they were written, and what each is used for.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

struct ForwardParameter {
    std::string name;
    bool isOptional = false; // it may be None
    std::vector<std::string> takenBy; // children that it is given to, by their path below the module, sorted; "": an
                                      // operator of the module's own. Empty: nothing takes it
};

struct ForwardOrder {
    std::vector<ForwardParameter> parameters; // tensors alone
    std::vector<std::string> returned; // parameters that are given back; "" for what is computed
};

using ForwardOrders = std::unordered_map<std::string, std::shared_ptr<const ForwardOrder>>; // by module path

} // namespace duo
