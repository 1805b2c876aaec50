// SPDX-License-Identifier: Apache-2.0
// Edge router: lines of edges between boxes that have their places.
#pragma once

#include "core/graph/layout/columns.h"
#include "core/graph/layout/layered_graph.h"
#include "core/graph/layout/layout.h"

#include <vector>

namespace duo {

/// What is known when lines are drawn; refers to what it was made of.
struct PlacedRows {
    const LayoutInput& input;
    const LayeredGraph& graph;
    const Columns& columns;
    const std::vector<std::uint32_t>& beside; // [boxes]
    const std::vector<double>& x; // [vertices] axes, columns shifted
    const std::vector<Point>& centers; // [boxes]
};

/// Polylines [edges] from border to border. Between rows they lead slanted, past boxes and their titles vertically,
/// from column to column around everything in lines of their own, above or below columns that they pass: through no
/// box, but for edges without bends. O((edges + bends) * log(edges)).
std::vector<std::vector<Point>> routeEdges(const PlacedRows& placed);

} // namespace duo
