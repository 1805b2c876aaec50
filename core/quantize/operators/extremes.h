// SPDX-License-Identifier: Apache-2.0
// Extremes: constants that no eight bits hold beside other values: infinities, and masks of -10000 or so that are added
// before a Softmax.
#pragma once

#include "core/quantize/operators/fusion.h"
#include "core/quantize/points/decision.h"

#include <map>
#include <optional>

namespace duo {

/// The largest magnitude of a constant as a mask is told by it, with its sign: -inf, -10000.
inline constexpr float kLeastMask = 1000;

/// The first number of a constant that is not finite; nothing where it holds none.
/// @param mostElements of larger ones nothing is read; negative: all are
std::optional<float> firstNonFinite(const Tensor& tensor, std::int64_t mostElements = -1);

/// Vertices that stay in float and why: those whose weight or table holds infinities, and those between a mask and the
/// Softmax or maximum it is made for. Such operators give the masked elements no weight, however large the mask; codes
/// would give them some, or leave none to the others. Of constants of up to a million elements. O(nodes + uses).
/// @param outputsToo whether a quantizer stands behind every operator: then a mask that is added in a group of
/// operators keeps all of it in float
std::map<VertexIndex, DecisionReason> findExtremes(
    const Model& model, const OpGraph& graph, const FusedGraph& fused, bool outputsToo);

} // namespace duo
