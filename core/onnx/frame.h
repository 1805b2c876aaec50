// SPDX-License-Identifier: Apache-2.0
// NameFrame: the names that nodes of one graph or of one expanded call can read.
#pragma once

#include "core/model/model.h"

#include <onnx.pb.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace duo {

struct NameFrame;
using AttributesByName = std::unordered_map<std::string_view, const onnx::AttributeProto*>;

/// A call of a local function that is being expanded.
struct CallSite {
    const onnx::FunctionProto& function;
    AttributesByName attributes; // given by the call
    const NameFrame& caller;
    const CallSite* outer = nullptr; // the call this one stands in
    std::int64_t opset = 0; // of ai.onnx, that the function is written in; 0: not known
};

struct NameFrame {
    RegionId region;
    const NameFrame* outer = nullptr; // the graph around a control-flow body; null for the main graph and for functions
    const CallSite* call = nullptr; // null outside functions
    bool isCopy = false; // its nodes are in the file once, but may be read several times
    int nesting = 0; // bodies and calls around it
    std::int64_t namePrefix = 0; // bytes before the names of its nodes (resources/docs/scopes.md, "Node names")
    std::unordered_map<std::string_view, ValueId> values; // invalid: an input that the call omits
    std::unordered_map<std::string_view, ValueId> callOutputs; // the caller's values for outputs not produced yet

    /// The value a name means here, looking outwards through control-flow bodies.
    [[nodiscard]] std::optional<ValueId> find(std::string_view name) const
    {
        for (const NameFrame* frame = this; frame != nullptr; frame = frame->outer) {
            if (const auto found = frame->values.find(name); found != frame->values.end())
                return found->second;
        }
        return std::nullopt;
    }
};

} // namespace duo
