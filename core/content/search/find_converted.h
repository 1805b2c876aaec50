// SPDX-License-Identifier: Apache-2.0
// findConvertedInPlace: tensors whose elements are those of one stored tensor of another floating type.
#pragma once

#include "core/content/search/wanted_tensors.h"

namespace duo {

/// As findEqualInPlace, with each stored tensor of the right size rounded or widened to the model's type on the fly;
/// only for tensors that nothing was found for. @return Cancelled
Status findConvertedInPlace(ContentSearch& search);

} // namespace duo
