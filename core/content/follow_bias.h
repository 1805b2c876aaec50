// SPDX-License-Identifier: Apache-2.0
// followBiasesInPlace: biases of nodes whose weights were explained, recomputed from the same modules.
#pragma once

#include "core/content/batch_norms.h"
#include "core/content/wanted_tensors.h"

namespace duo {

/// For each Conv, ConvTranspose or Gemm whose weight is a fold: beta + (bias - mean) * factor of the batch norms that
/// fit the weight, with the bias of the weight's module or without one; what fits leaves fewer of these norms. For
/// quantized weights that are no fold: the bias of the same module. Biases that say little alone are decided by their
/// weight.
/// @return Cancelled
Status followBiasesInPlace(ContentSearch& search, const BatchNorms& norms);

} // namespace duo
