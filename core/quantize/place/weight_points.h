// SPDX-License-Identifier: Apache-2.0
// Weight points: which constants of an operator are quantized as weights.
#pragma once

#include "core/quantize/operators/fusion.h"
#include "core/quantize/propagate/candidates.h"

namespace duo {

/// A weight and all operators that read it; they get one quantizer at the first reader.
struct WeightDraft {
    VertexIndex vertex = 0; // of the first reader
    NodeId node;
    std::uint32_t port = 0;
    std::vector<NodeId> readers; // in node order, the first included
    std::vector<VertexIndex> vertices; // of the readers
    Candidates candidates;
    bool isEmbedding = false;
};

/// Float32 constants at the weight ports of the first operators of vertices that want quantized inputs or are
/// embeddings, found through nodes that rearrange them. Weights that are quantized already are left out.
std::vector<WeightDraft> findWeights(
    const Model& model, const OpGraph& graph, const FusedGraph& fused, const CandidateLimits& limits);

} // namespace duo
