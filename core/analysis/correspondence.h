// SPDX-License-Identifier: Apache-2.0
// Correspondence: which inputs, outputs and inner values of two models are the same thing.
#pragma once

#include "core/model/model.h"

#include <string>
#include <vector>

namespace duo {

/// A value of model A and its counterpart in model B.
struct NamePair {
    std::string a;
    std::string b;
    bool operator==(const NamePair&) const = default;
};

struct PortMatch {
    bool inputsCorrespond = false; // both can be fed with the same samples
    std::vector<NamePair> outputs; // in A's order
    std::vector<std::string> findings; // what does not correspond, as sentences
    std::vector<Note> notes;
};

/// Inputs by name; outputs by name, what is left by order with a note.
PortMatch matchPorts(const Model& a, const Model& b);

/// Values that nodes of both main graphs compute under the same name: neither constants, nor outputs of both, nor known
/// to be anything but float32. In A's node order.
std::vector<std::string> sharedValues(const Model& a, const Model& b);

} // namespace duo
