// SPDX-License-Identifier: Apache-2.0
// OpSchema: what ONNX lets its own operators have: inputs, outputs and attributes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace duo {

/// The newest opset of ai.onnx of which it is known what it changed.
inline constexpr std::int64_t kNewestOpset = 28;

/// An operator of ai.onnx, from one opset on to the next that changed any of this.
struct OpSchema {
    std::string_view opType;
    std::int64_t since = 1;
    // A letter for each port: '1' there must be one, '?' it may be omitted; at the end '*' any number, '+' one or more.
    std::string_view inputs = {};
    std::string_view outputs = {};
    std::string_view attributes = {}; // "axis:int! keepdims:int", by name; '!' it must be given
    bool isWithdrawn = false; // it is no operator of ONNX any more
};

/// All that are known, by name, then by opset.
std::span<const OpSchema> opSchemas();

/// The rows of one operator, the oldest first; none where ONNX has no such operator. O(log rows).
std::span<const OpSchema> opSchemas(std::string_view opType);

} // namespace duo
