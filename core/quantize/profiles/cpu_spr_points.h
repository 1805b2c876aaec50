// SPDX-License-Identifier: Apache-2.0
// Points that go on CPU_SPR: one quantized operand of an Add is enough (resources/docs/quantization.md, "CPU_SPR").
#pragma once

#include "core/quantize/propagate/draft_setup.h"

namespace duo {

/// For every Add of two quantized operands drops one quantizer: that of the operand only the Add reads, where the other
/// one branches; else, where both come straight from convolutions or products, that of the one with more elements.
/// `likeNncf` repeats NNCF's mistake to look points up by the name of their node: for a convolution or product that is
/// the point of its weights. O(nodes + edges).
void dropOperandPoints(DraftSetup& draft, const Model& model, const OpGraph& graph, bool likeNncf);

} // namespace duo
