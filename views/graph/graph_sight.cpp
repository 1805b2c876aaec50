// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_sight.h"

#include "views/graph/graph_view.h"

#include <QLineF>

#include <limits>

namespace duo::ui {
namespace {

const std::string& keyOf(const Picture& picture, int box)
{
    return picture.graph.boxes[static_cast<std::size_t>(box)].key;
}

/// That has a key: the one at the point or around it, else the one whose middle is nearest; kNoBox without any.
int boxNear(const Picture& picture, const QPointF& point)
{
    int box = picture.boxAt(point);
    while (box != Picture::kNoBox && keyOf(picture, box).empty())
        box = picture.graph.boxes[static_cast<std::size_t>(box)].parent;
    if (box != Picture::kNoBox)
        return box;
    double least = std::numeric_limits<double>::infinity();
    for (int each = 0; each < static_cast<int>(picture.graph.boxes.size()); ++each) {
        const double distance = QLineF(picture.frame(each).center(), point).length();
        if (distance < least && !keyOf(picture, each).empty()) {
            least = distance;
            box = each;
        }
    }
    return box;
}

} // namespace

std::optional<GraphSight> sightOf(const GraphView& view)
{
    const Picture* picture = view.picture();
    if (!picture)
        return std::nullopt;
    const QPointF middle = view.middle();
    const int box = boxNear(*picture, middle);
    if (box == Picture::kNoBox)
        return std::nullopt;
    return GraphSight{keyOf(*picture, box), middle - picture->frame(box).topLeft(), view.zoom(), view.isWhole()};
}

void goToSight(GraphView& view, const GraphSight& sight)
{
    const Picture* picture = view.picture();
    const int box = picture ? picture->boxOfKey(sight.box) : Picture::kNoBox;
    if (sight.isWhole)
        view.fit();
    else if (box != Picture::kNoBox)
        view.lookAt(picture->frame(box).topLeft() + sight.middle, sight.zoom);
}

} // namespace duo::ui
