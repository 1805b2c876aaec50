// SPDX-License-Identifier: Apache-2.0
// Tensors of one or two values: zeros of biases, ones of scales, forget gates at one. Converters keep equal tensors
// once.
#pragma once

#include "core/model/tensor.h"

namespace duo {

/// Whether the elements take no more than two values, as those of layers that were never trained do. Also true of types
/// smaller than a byte. Stops at the third value.
bool hasFewValues(const Tensor& tensor);

} // namespace duo
