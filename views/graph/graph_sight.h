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
    QPointF from; // its top left corner, to that of the view, which stays as messages come and go; picture px
    double zoom = 1;
    bool operator==(const GraphSight&) const = default;
};

/// Nothing where no box has a key. O(boxes).
std::optional<GraphSight> sightOf(const GraphView& view);

/// Nothing happens where the picture does not have the box.
void goToSight(GraphView& view, const GraphSight& sight);

} // namespace duo::ui
