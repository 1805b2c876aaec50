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

} // namespace duo
