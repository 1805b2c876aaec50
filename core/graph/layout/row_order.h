// SPDX-License-Identifier: Apache-2.0
// Row order: vertices of each row from left to right, with few crossings.
#pragma once

#include "core/graph/layout/layered_graph.h"

namespace duo {

/// Depth-first start, then barycenter sweeps that keep the best order seen. O(sweeps * edges * log(vertices)), at most
/// 24 sweeps, no recursion.
void orderRowsInPlace(LayeredGraph& graph);

/// Pairs of edges between neighbouring rows that cross.
std::uint64_t crossings(const LayeredGraph& graph);

} // namespace duo
