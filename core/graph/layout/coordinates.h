// SPDX-License-Identifier: Apache-2.0
// Coordinates: x of every vertex of an ordered layered graph.
#pragma once

#include "core/graph/layout/layered_graph.h"

#include <vector>

namespace duo {

/// Center x [vertices], px; order of rows kept, vertices apart by their widths and a gap. Each vertex is drawn towards
/// the median of its neighbours; rows are settled by isotonic regression (pool adjacent violators). O(passes * edges).
std::vector<double> findCenters(const LayeredGraph& graph);

} // namespace duo
