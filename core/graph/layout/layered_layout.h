// SPDX-License-Identifier: Apache-2.0
// Layered layout: our own linear engine. Never fails on any graph, needs no process, less tidy than dot.
#pragma once

#include "core/graph/layout/layout.h"
#include "core/support/result.h"

namespace duo {

/// Checks what engines rely on: pins empty or one per box, finite sides in 0..kMaxBoxSide, edges in range that meet
/// boxes on their border, an aspect in 0..kMostAspect, a spread in kLeastSpread..kMostSpread.
/// @return Internal naming what is wrong
Status checkLayoutInput(const LayoutInput& input);

/// Rows from top to bottom in the direction of edges, few crossings, the spine on a vertical line, edges as
/// polylines from border to border that pass no box. Rows that are too long for the wanted shape go on in columns to
/// the right. Deterministic; O((boxes + edges) * log) for inputs with long edges too: those that cross more than 24
/// rows are straight lines once all bends together would be more than 20,000.
/// @param advice a layout of the same input by another engine, whose rows and order of boxes are tried too; may be null
/// @return Internal for an input that checkLayoutInput refuses
Result<LayoutResult> layeredLayout(const LayoutInput& input, const LayoutResult* advice = nullptr);

} // namespace duo
