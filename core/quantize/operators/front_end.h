// SPDX-License-Identifier: Apache-2.0
// Front end: a fixed transform in front of the network (a spectrogram), with the powers and logarithms behind it. Eight
// bits spoil it: what matters lies far below the loudest, and a logarithm brings it up.
#pragma once

#include "core/quantize/operators/fusion.h"
#include "core/quantize/points/decision.h"

#include <map>

namespace duo {

/// Vertices of front ends and why they stay in float: products and convolutions with fixed filters that the model's
/// inputs reach past nothing learned, filters of one channel before them, and what computes between them and the first
/// learned weights. What moves data only, or computes in float anyway, is left out. O(operators + edges), and the
/// filters.
std::map<VertexIndex, DecisionReason> findFrontEnds(const Model& model, const OpGraph& graph, const FusedGraph& fused);

} // namespace duo
