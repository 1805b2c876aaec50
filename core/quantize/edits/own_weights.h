// SPDX-License-Identifier: Apache-2.0
// OwnWeights: initializers that one node alone reads, which may therefore change, and the axes of their channels.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace duo {

enum class Side { Input, Output };

/// Axis of a side's channels in the weight at input 1, whose sizes are `dims`: Conv of one group or depthwise (output:
/// of any groups), Gemm without transA, MatMul of a matrix; nothing where they do not lie along one.
std::optional<std::size_t> channelAxis(const Node& node, const std::vector<std::int64_t>& dims, Side side);

/// The initializer of the main graph a node reads itself and alone, as float32; null for everything else.
const Tensor* ownTensor(const Model& model, const Node& node, std::uint32_t port);

} // namespace duo
