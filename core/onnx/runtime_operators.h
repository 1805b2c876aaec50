// SPDX-License-Identifier: Apache-2.0
// Operators that ONNX Runtime has, by domain and name: where a model brings a function of the same name, the runtime
// takes its operator (seen of 1.32; onnx.proto leaves it to the runtime).
#pragma once

#include <cstdint>
#include <string_view>

namespace duo {

/// @param domain "" for ai.onnx; @param opset of ai.onnx, which decides for that domain only
bool runtimeHas(std::string_view domain, std::string_view opType, std::int64_t opset);

} // namespace duo
