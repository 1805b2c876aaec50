// SPDX-License-Identifier: Apache-2.0
// Weight points: which constants of an operator are quantized as weights.
#pragma once

#include "core/quantize/operators/fusion.h"
#include "core/quantize/propagate/candidates.h"

#include <memory>
#include <vector>

namespace duo {

/// A constant at the weight port of an operator, whether or not the operator is to be quantized.
struct WeightRead {
    VertexIndex vertex = 0; // the operator is its first one
    NodeId node;
    std::uint32_t port = 0;
    std::uint32_t weight = 0; // number of the value read
    std::uint32_t channelKind = 0; // readers with another one disagree on the channel axis
    WeightSpace space = WeightSpace::Convolution;
    bool hasChannelAxis = true;
};

/// Float32 constants at the weight ports of the first operators of vertices that want quantized inputs or are
/// embeddings, found through nodes that rearrange them. Weights that are quantized already are left out.
struct WeightReads {
    std::vector<WeightRead> reads; // in the order of vertices and ports
    std::uint32_t weights = 0; // different ones
};
/// @param likeNncf per channel also where scales have no axis of their own, and no look behind a Cast
WeightReads findWeightReads(const Model& model, const OpGraph& graph, const FusedGraph& fused, bool likeNncf);

/// A weight and all operators that read it and are quantized; they get one quantizer at the first reader.
struct WeightDraft {
    NodeId node;
    std::uint32_t port = 0;
    std::vector<NodeId> readers; // in node order, the first included
    std::shared_ptr<const Candidates> candidates;
    bool isEmbedding = false;
};

/// The weights of vertices that still want quantized inputs or are embeddings in `fused`. O(reads).
std::vector<WeightDraft> weightDrafts(
    const WeightReads& reads, const FusedGraph& fused, const std::vector<CandidateLimits>& limits);

} // namespace duo
