// SPDX-License-Identifier: Apache-2.0
// What a call of a module takes and gives, in the order of its `forward`, as a training framework recorded it.
#pragma once

#include "core/model/model.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

/// In front of a name: it is none of the model's, though a value of the model may have it.
inline constexpr char kNoValue = '\x01';

/// A tensor that is taken or given.
struct SignatureValue {
    std::string formal = {}; // parameter of `forward`; "" where the record does not name it
    std::string value = {}; // in the program that was recorded, before what gives its input back (dropout, clone)
    ValueType type = {}; // as far as it is known
    bool isInput = false; // of the program; else a node makes it
    std::string module = {}; // that this node runs in, by its first path; "" is the root
    bool isRead = true; // taken: inside the call; given: outside of it
};

struct CallSignature {
    std::string module; // the callee, by its first path
    std::vector<SignatureValue> inputs; // positional first, then those given by keyword; only tensors
    std::vector<SignatureValue> outputs; // as returned; only tensors
    bool isClosed = false; // nothing but these, parameters and numbers goes in and out in the program
};

/// How a program makes a value.
struct ProgramValue {
    std::string op; // "aten.sub.Tensor"
    std::vector<std::string> operands; // tensors that are no parameters, in order, with repeats
    bool isPassedOn = false; // it gives its first operand back, and exporters leave it out
};

/// What is called what in a program, to find its values in a model.
struct ProgramNames {
    std::vector<std::string> inputs; // of the program, in order
    std::unordered_map<std::string, ProgramValue> values; // that nodes of its main graph make
};

} // namespace duo
