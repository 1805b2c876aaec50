// SPDX-License-Identifier: Apache-2.0
// GraphSight: where one looks in the graph, told by a box, so that it is found again in another layout.
#pragma once

#include <QPointF>

#include <optional>
#include <string>

namespace duo::ui {

class GraphView;

struct GraphSight {
    std::string box; // key; near the middle of the view
    QPointF middle; // of the view, which stays as messages come and go; picture px from the box's top left corner
    double zoom = 1;
    bool isWhole = false; // fitted: box, middle and zoom are what came of it
    bool operator==(const GraphSight&) const = default;
};

/// Nothing where no box has a key. O(boxes).
std::optional<GraphSight> sightOf(const GraphView& view);

/// Nothing happens where the picture does not have the box, unless the whole is to be seen.
void goToSight(GraphView& view, const GraphSight& sight);

} // namespace duo::ui
