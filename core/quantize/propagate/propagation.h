// SPDX-License-Identifier: Apache-2.0
// Propagation: quantizers start at the inputs of operators that want them and move up as far as they may
// (resources/docs/quantization.md, "Propagation").
#pragma once

#include "core/quantize/propagate/branching.h"
#include "core/quantize/propagate/propagation_state.h"

#include <memory>

namespace duo {

struct PropagationOptions {
    std::vector<CandidateLimits> limits; // [OpTraits::precision]
    bool quantizeOutputs = false;
    bool likeNncf = false;
    std::vector<VertexIndex> startOrder{}; // where ties should fall as in NNCF; else topological
    bool unifiesConcatInputs = true; // one scale for all inputs of a Concat
    bool unifiesElementwiseInputs = false; // one scale for all inputs of an elementwise operator (NPU)
};

/// Moves all quantizers until none can move, drops lone quantizers beside constants and those below equal ones.
/// What is left has one candidate. Deterministic; linear where branches are short.
/// `graph` must outlive the result; traits of ignored vertices are NonQuantizable.
std::unique_ptr<PropagationState> propagate(const FusedGraph& graph, const PropagationOptions& options);

} // namespace duo
