// SPDX-License-Identifier: Apache-2.0
// Zero points of quantizers that are to be arguments of functions.
#pragma once

#include "core/model/model.h"
#include "core/transform/edit_list.h"

namespace duo {

/// Quantizers among the nodes that `edits` add to `model` share zero points of one value. Here each gets its own, or
/// calls whose zero points happen to be equal would not be like those whose are not. O(nodes made).
void ownZeroPointsInPlace(EditList& edits, const Model& model);

} // namespace duo
