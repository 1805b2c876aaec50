// SPDX-License-Identifier: Apache-2.0
// findEqualInPlace: tensors whose elements are those of one stored tensor, in any order of the axes.
#pragma once

#include "core/content/search/wanted_tensors.h"

namespace duo {

/// Names first: equal bytes under the same name settle a telling tensor. For the others, the order-free sums of all
/// tensors of their type and size are the index, and findArrangement is the proof. @return Cancelled
Status findEqualInPlace(ContentSearch& search);

} // namespace duo
