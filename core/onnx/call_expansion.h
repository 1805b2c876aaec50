// SPDX-License-Identifier: Apache-2.0
// A call of a local function written out: the nodes of its body with what the call gives.
#pragma once

#include "core/onnx/function_table.h"

#include <onnx.pb.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace duo {

/// What the expansion of a call needs besides the model.
struct Expansion {
    std::function<bool(const onnx::FunctionProto&)> isWanted; // calls of others stay calls
    /// Names inside bodies stay as they are. Else they get the name of the call in front, because they may meet values
    /// of the caller.
    bool keepsBodies = false;
};

/// The nodes a call is expanded into. Values that they alone know have names that no file gives until nameValues().
struct ExpandedCall {
    std::vector<onnx::NodeProto> nodes;
    std::vector<std::string> wishes; // by inner value: what it is to be called
    std::vector<std::size_t> added; // of `nodes`, ascending: those that stand for no node of a body

    /// The wish of an inner value by the name it has until then; null for all other names.
    [[nodiscard]] const std::string* wishOf(const std::string& name) const;
};

/// Calls in the body are expanded too; inner names are the function's with the name of the call and '/' in front. What
/// an attribute refers to is what the call gives, else the default; without either the attribute goes. The call must
/// be one that the reader let through. O(nodes made).
ExpandedCall expandCall(const onnx::NodeProto& call, const FunctionTable& functions, const Expansion& how);

/// Gives inner values their names: `nameOf(node, port, wish)` is asked for each, with where it is made.
void nameValues(
    ExpandedCall& call, const std::function<std::string(std::size_t node, int port, const std::string& wish)>& nameOf);

} // namespace duo
