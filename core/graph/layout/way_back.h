// SPDX-License-Identifier: Apache-2.0
// Way back: what leaves a layout of several columns below leaves it where the spine entered it.
#pragma once

#include "core/graph/layout/edge_router.h"
#include "core/graph/layout/layout.h"

namespace duo {

/// Where the spine enters at the top and leaves below, in a later column, boxes pinned to the bottom move left until it
/// leaves on the vertical line on which it entered; lines lead to them below all columns. The leftmost one turns first,
/// so none crosses another. O(vertices + edges * log).
void leadBackInPlace(LayoutResult& result, const PlacedRows& placed);

} // namespace duo
