// SPDX-License-Identifier: Apache-2.0
// Row places: where the axes of ordered rows stand, with the spine on one vertical line.
#pragma once

#include "core/graph/layout/layered_graph.h"

#include <vector>

namespace duo {

/// x of every axis [vertices], px; the spine at 0, order of rows kept, vertices apart by their reach and a gap. Each
/// vertex is drawn towards the median of its neighbours; rows are settled by isotonic regression (pool adjacent
/// violators); then chains without branches, lanes of long edges first, are put straight where there is room.
/// O(passes * edges).
std::vector<double> placeAxes(const LayeredGraph& graph);

/// Moves rows that hang on what is above by one line alone sideways, all down to the next such line together, until
/// that line is straight, as far as their column is wide. O(vertices + links).
/// @param ofRank [ranks] column of each row, ascending
void straightenBlocksInPlace(
    const LayeredGraph& graph, const std::vector<std::uint32_t>& ofRank, std::vector<double>& x);

} // namespace duo
