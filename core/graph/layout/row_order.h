// SPDX-License-Identifier: Apache-2.0
// Row order: who stands left of whom, so that few edges cross.
#pragma once

#include "core/graph/layout/layered_graph.h"

namespace duo {

/// Pairs of edges between neighbouring rows that cross. O(edges * log(edges)).
std::uint64_t crossings(const LayeredGraph& graph);

/// Barycenter sweeps and exchanges of neighbours from two starts, the best order seen is kept. Deterministic, no
/// recursion; O(sweeps * edges * log(vertices)), at most 24 sweeps a start; exchanges only up to 6,000 vertices.
/// @param advice [boxes] and lines of another engine, whose order is one more start; may be null
/// Rows are mirrored where LayeredGraph::leftFirst asks for it.
void orderRowsInPlace(LayeredGraph& graph, const LayoutResult* advice = nullptr);

} // namespace duo
