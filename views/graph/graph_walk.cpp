// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_walk.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace duo::ui {
namespace {

std::int64_t quantizedIn(const ViewBox& box)
{
    return box.kind == ViewBox::Kind::Node ? std::int64_t{box.state == NodeState::Quantized} : box.quantized;
}

/// [boxes] how many quantized nodes lie on the way on from each, itself included, where those are most: shapes, masks
/// and what only adds have few. O(boxes + edges).
std::vector<std::int64_t> quantizedOnTheWay(const Picture& picture, bool forward)
{
    const auto& boxes = picture.graph.boxes;
    std::vector<std::vector<std::uint32_t>> before(boxes.size());
    std::vector<int> unknown(boxes.size()); // boxes further on whose way is not known yet
    for (const ViewEdge& edge : picture.graph.edges) {
        if (picture.leadsOn(edge))
            continue;
        before[forward ? edge.to : edge.from].push_back(forward ? edge.from : edge.to);
        ++unknown[forward ? edge.from : edge.to];
    }
    std::vector<std::int64_t> way(boxes.size()); // first without the box itself
    std::vector<std::uint32_t> known;
    for (std::uint32_t i = 0; i < boxes.size(); ++i) {
        if (unknown[i] == 0)
            known.push_back(i);
    }
    while (!known.empty()) { // never reaches what stands in a circle, as closed scopes may
        const std::uint32_t box = known.back();
        known.pop_back();
        way[box] += quantizedIn(boxes[box]);
        for (const std::uint32_t other : before[box]) {
            way[other] = std::max(way[other], way[box]);
            if (--unknown[other] == 0)
                known.push_back(other);
        }
    }
    return way;
}

int alongEdges(const Picture& picture, int box, bool forward)
{
    const std::vector<std::int64_t> way = quantizedOnTheWay(picture, forward);
    int best = box;
    std::int64_t most = -1;
    double nearest = std::numeric_limits<double>::max();
    const QPointF from = picture.frame(box).center();
    for (const ViewEdge& edge : picture.graph.edges) {
        const int near = static_cast<int>(forward ? edge.from : edge.to);
        const int far = static_cast<int>(forward ? edge.to : edge.from);
        const bool isOfBox = picture.isInside(near, box) || picture.isInside(box, near); // or of the bundle around it
        if (!isOfBox || picture.isInside(far, box) || picture.leadsOn(edge))
            continue;
        const QPointF to = picture.frame(far).center();
        const double distance = std::hypot(to.x() - from.x(), to.y() - from.y());
        const std::int64_t onTheWay = way[static_cast<std::size_t>(far)];
        if (onTheWay > most || (onTheWay == most && distance < nearest)) {
            most = onTheWay;
            nearest = distance;
            best = far;
        }
    }
    return best;
}

int beside(const Picture& picture, int box, bool left)
{
    int best = box;
    double nearest = std::numeric_limits<double>::max();
    const QRectF from = picture.frame(box);
    for (std::size_t i = 0; i < picture.graph.boxes.size(); ++i) {
        const QRectF to = picture.frame(static_cast<int>(i));
        const double dx = left ? from.center().x() - to.center().x() : to.center().x() - from.center().x();
        const bool overlaps = to.top() < from.bottom() && to.bottom() > from.top();
        const bool isSibling
            = picture.graph.boxes[i].parent == picture.graph.boxes[static_cast<std::size_t>(box)].parent;
        if (dx > 0 && overlaps && isSibling && dx < nearest) {
            nearest = dx;
            best = static_cast<int>(i);
        }
    }
    return best;
}

/// The topmost box that is not open.
int firstBox(const Picture& picture)
{
    int best = Picture::kNoBox;
    for (std::size_t i = 0; i < picture.graph.boxes.size(); ++i) {
        if (picture.graph.boxes[i].open)
            continue;
        if (best == Picture::kNoBox || picture.frame(static_cast<int>(i)).top() < picture.frame(best).top())
            best = static_cast<int>(i);
    }
    return best;
}

} // namespace

int walk(const Picture& picture, int box, Step step)
{
    if (box == Picture::kNoBox)
        return firstBox(picture);
    switch (step) {
    case Step::Producer:
        return alongEdges(picture, box, false);
    case Step::Consumer:
        return alongEdges(picture, box, true);
    case Step::Left:
        return beside(picture, box, true);
    case Step::Right:
        return beside(picture, box, false);
    }
    return box;
}

} // namespace duo::ui
