// SPDX-License-Identifier: Apache-2.0
// findScaledInPlace: tensors that are a stored one times a factor per channel: folded, normed, quantized.
#pragma once

#include "core/content/search/wanted_tensors.h"

namespace duo {

/// For tensors that nothing was found for. Candidates by name and by where channels have their largest elements;
/// factors by least squares; explanations recomputed on every element. Memory: for each thread 12 bytes an element of
/// the tensor at hand. @return Cancelled
Status findScaledInPlace(ContentSearch& search);

} // namespace duo
