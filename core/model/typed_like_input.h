// SPDX-License-Identifier: Apache-2.0
// Operators of which an output has the element type of the first input.
#pragma once

#include "core/model/model.h"

#include <cstddef>

namespace duo {

/// Of ONNX's operators and of those of ONNX Runtime; false for those that nobody knows, and for those with other rules
/// (element_types.h). O(log operators).
bool isTypedLikeInput(const Node& node, std::size_t output);

} // namespace duo
