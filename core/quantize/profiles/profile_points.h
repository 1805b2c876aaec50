// SPDX-License-Identifier: Apache-2.0
// Points that runtimes want, or want left out, besides what propagation placed; those of ort-cpu are in
// ort_cpu_points.h.
#pragma once

#include "core/quantize/points/decision.h"
#include "core/quantize/propagate/draft_setup.h"

#include <vector>

namespace duo {

/// Points the tensorrt profile drops: TensorRT computes convolution, residual addition and activation in one kernel if
/// only the skip connection carries a quantizer (resources/docs/runtime.md, "Profiles").
///
/// An addition keeps the quantizer of its skip operand: of two convolutions the one that lies deeper is fused with it,
/// of equally deep ones the first operand. An addition without a convolution stays in float. O(operators + edges).
/// @return why a node stays in float [Model::nodes]; no reason where nothing was dropped
std::vector<DecisionReason> applyTensorRtRules(
    DraftSetup& draft, const Model& model, const OpGraph& graph, const PropagationState& state);

/// Points of profiles that want a quantizer on every tensor: QNN runs an operator on its accelerator only if all its
/// inputs and outputs carry one (resources/docs/runtime.md, "Profiles").
///
/// A quantizer behind every operator that is not left in float, on each input from one that is, and on the constant
/// operands of elementwise operators; what moves data has the same parameters on both sides. O(operators + edges).
void quantizeEveryTensor(DraftSetup& draft, const Model& model, const OpGraph& graph, PropagationState& state,
    const std::vector<CandidateLimits>& limits);

/// Points that go on CPU_SPR: one quantized operand of an Add is enough (resources/docs/quantization.md, "CPU_SPR").
///
/// For every Add of two quantized operands drops one quantizer: that of the operand only the Add reads, where the other
/// one branches; else, where both come straight from convolutions or products, that of the one with more elements.
/// `likeNncf` repeats NNCF's mistake to look points up by the name of their node: for a convolution or product that is
/// the point of its weights. O(nodes + edges).
void dropOperandPoints(DraftSetup& draft, const Model& model, const OpGraph& graph, bool likeNncf);

} // namespace duo
