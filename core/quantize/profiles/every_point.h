// SPDX-License-Identifier: Apache-2.0
// Points of profiles that want a quantizer on every tensor: QNN runs an operator on its accelerator only if all its
// inputs and outputs carry one (resources/docs/runtime.md, "Profiles").
#pragma once

#include "core/quantize/propagate/draft_setup.h"

namespace duo {

/// A quantizer behind every operator that is not left in float, on each input from one that is, and on the constant
/// operands of elementwise operators; what moves data has the same parameters on both sides. O(operators + edges).
void quantizeEveryTensor(DraftSetup& draft, const Model& model, const OpGraph& graph, PropagationState& state,
    const std::vector<CandidateLimits>& limits);

} // namespace duo
