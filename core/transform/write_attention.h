// SPDX-License-Identifier: Apache-2.0
// What one operator computes, written as the products it is made of.
#pragma once

#include "core/transform/older_form.h"

namespace duo {

/// Attention (opset 23): scores of queries and keys, scaled and masked, their Softmax, and the product with values.
/// Refused where it caps scores, gives them, or its sizes are not known enough.
void writeAttention(OlderForm& form);

/// Gemm: MatMul and Add, with a Transpose and factors where it has them.
void writeGemm(OlderForm& form);

} // namespace duo
