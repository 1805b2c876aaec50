// SPDX-License-Identifier: Apache-2.0
// Points the tensorrt profile drops: TensorRT computes convolution, residual addition and activation in one kernel if
// only the skip connection carries a quantizer (resources/docs/runtime.md, "Profiles").
#pragma once

#include "core/quantize/propagate/draft_setup.h"

#include <string>
#include <vector>

namespace duo {

/// An addition keeps the quantizer of its skip operand: of two convolutions the one that lies deeper is fused with it,
/// of equally deep ones the first operand. An addition without a convolution stays in float. O(operators + edges).
/// @return why a node stays in float [Model::nodes]; "" where nothing was dropped
std::vector<std::string> applyTensorRtRules(
    DraftSetup& draft, const Model& model, const OpGraph& graph, const PropagationState& state);

} // namespace duo
