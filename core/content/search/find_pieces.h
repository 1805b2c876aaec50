// SPDX-License-Identifier: Apache-2.0
// findPiecesInPlace: tensors put together from several keys, or cut out of one.
#pragma once

#include "core/content/search/wanted_tensors.h"

namespace duo {

/// For telling tensors that nothing was found for. Order-free sums add up, so sums along an axis find the members of a
/// concatenation (fused query, key and value, of any sizes) and the place of a slice; strided compares prove them. Keys
/// that are the whole owner of another tensor are not cut. @return Cancelled
Status findPiecesInPlace(ContentSearch& search);

} // namespace duo
