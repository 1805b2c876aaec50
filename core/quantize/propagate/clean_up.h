// SPDX-License-Identifier: Apache-2.0
// Clean-up after propagation (resources/docs/quantization.md, "Propagation"), its last steps.
#pragma once

#include "core/quantize/propagate/propagation_state.h"

namespace duo {

/// An elementwise operator whose other operand is constant gains nothing from a quantizer of its own.
void dropLoneElementwiseQuantizers(PropagationState& state);

/// Every quantizer that is left takes its best candidate.
void chooseFirstCandidates(PropagationState& state);

/// A quantizer below another one with only data movement between that adds nothing is merged into it. Behind an
/// operator with several inputs its first one decides, with `likeNncf` any one.
void mergeRedundantQuantizers(PropagationState& state, bool likeNncf);

} // namespace duo
