// SPDX-License-Identifier: Apache-2.0
// isTelling: whether the values of a tensor say whose it is.
#pragma once

#include "core/model/tensor.h"

namespace duo {

/// Fewer elements never decide alone.
constexpr std::int64_t kFewestTelling = 16;

/// Whether equal values can be taken as proof of one origin: a floating type, at least kFewestTelling elements, several
/// different values that are neither whole numbers nor a progression or grid (constants, identity matrices, masks,
/// fresh batch norms and `arange`-like buffers are made anywhere). Looks at up to 384 elements.
bool isTelling(const Tensor& tensor);

/// Bytes are there for all the elements its shape promises, and the type has a size. Everything else needs this.
bool hasAllBytes(const Tensor& tensor);

} // namespace duo
