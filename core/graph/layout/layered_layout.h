// SPDX-License-Identifier: Apache-2.0
// Layered layout: our own linear engine. Never fails on any graph, needs no process, less tidy than dot.
#pragma once

#include "core/graph/layout/layout.h"
#include "core/support/result.h"

namespace duo {

/// Checks what engines rely on: pins empty or one per box, finite sides in 0..kMaxBoxSide, edges in range.
/// @return Internal naming what is wrong
Status checkLayoutInput(const LayoutInput& input);

/// Rows from top to bottom in the direction of edges, few crossings, edges as polylines from the border of one box to
/// the border of the other. Deterministic; O((boxes + edges) * log) for inputs with long edges too: those that cross
/// more than 24 rows are straight lines once all bends together would be more than 20,000.
/// @return Internal for an input that checkLayoutInput refuses
Result<LayoutResult> layeredLayout(const LayoutInput& input);

} // namespace duo
