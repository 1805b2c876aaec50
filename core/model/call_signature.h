// SPDX-License-Identifier: Apache-2.0
// What a call of a module takes and gives, in the order of its `forward`, as a training framework recorded it.
#pragma once

#include "core/model/model.h"

#include <string>
#include <vector>

namespace duo {

/// A tensor that is taken or given.
struct SignatureValue {
    std::string formal = {}; // parameter of `forward`; "" where the record does not name it
    std::string value = {}; // in the program that was recorded, before what gives its input back (dropout, clone)
    ValueType type = {}; // as far as it is known
    bool isInput = false; // of the program; else a node makes it
    std::string module = {}; // that this node runs in, by its first path; "" is the root
};

struct CallSignature {
    std::string module; // the callee, by its first path
    std::vector<SignatureValue> inputs; // positional first, then those given by keyword; only tensors
    std::vector<SignatureValue> outputs; // as returned; only tensors
};

} // namespace duo
