// SPDX-License-Identifier: Apache-2.0
#include "views/graph/band_selection.h"

#include <algorithm>
#include <iterator>

namespace duo::ui {

Selection selectionIn(const Picture& picture, const QRectF& area)
{
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < picture.graph.boxes.size(); ++i) {
        const ViewBox& box = picture.graph.boxes[i];
        const QRectF frame = picture.frame(static_cast<int>(i));
        const bool isPort
            = box.kind != ViewBox::Kind::Node && box.kind != ViewBox::Kind::Scope && box.kind != ViewBox::Kind::Group;
        if (isPort || !(box.open ? area.contains(frame) : area.intersects(frame)))
            continue;
        const Selection part = picture.selectionOf(static_cast<int>(i));
        nodes.insert(nodes.end(), part.nodes.begin(), part.nodes.end());
    }
    return selectNodes(std::move(nodes));
}

Selection united(const Selection& a, const Selection& b)
{
    std::vector<NodeId> nodes = a.nodes;
    nodes.insert(nodes.end(), b.nodes.begin(), b.nodes.end());
    return selectNodes(std::move(nodes));
}

Selection toggled(const Selection& whole, const Selection& part)
{
    if (!std::includes(whole.nodes.begin(), whole.nodes.end(), part.nodes.begin(), part.nodes.end()))
        return whole.nodes.empty() ? part : united(whole, part);
    std::vector<NodeId> rest;
    std::set_difference(
        whole.nodes.begin(), whole.nodes.end(), part.nodes.begin(), part.nodes.end(), std::back_inserter(rest));
    return selectNodes(std::move(rest));
}

} // namespace duo::ui
