// SPDX-License-Identifier: Apache-2.0
// findGatheredInPlace: tensors whose rows, or columns, are rows of a stored table.
#pragma once

#include "core/content/search/wanted_tensors.h"

namespace duo {

/// For telling tensors that nothing was found for: `table[index]` that the exporter folded, such as the relative
/// position bias of a Swin transformer, seen as [n, row] or transposed. An integer key of the table's module that holds
/// the very indices is an owner too. @return Cancelled
Status findGatheredInPlace(ContentSearch& search);

} // namespace duo
