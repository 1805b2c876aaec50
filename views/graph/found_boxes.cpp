// SPDX-License-Identifier: Apache-2.0
#include "views/graph/found_boxes.h"

#include "views/graph/ring.h"

#include <algorithm>
#include <unordered_map>

namespace duo::ui {
namespace {

constexpr double kRing = 4; // px of the screen around the box, so that its own colours and text stay as they are
constexpr double kCorner = 8; // px of the screen

/// Boxes of scopes that are drawn, open or closed.
std::unordered_map<ScopeId, int> scopeBoxes(const Picture& picture)
{
    std::unordered_map<ScopeId, int> boxes;
    for (std::size_t i = 0; i < picture.graph.boxes.size(); ++i) {
        if (picture.graph.boxes[i].kind == ViewBox::Kind::Scope)
            boxes.emplace(picture.graph.boxes[i].scope, static_cast<int>(i));
    }
    return boxes;
}

} // namespace

FoundBoxes foundBoxes(const FoundMarks* marks, const Picture& picture)
{
    FoundBoxes found;
    if (marks == nullptr || marks->scopes != picture.snapshot->scopes)
        return found;
    const auto ofScope = scopeBoxes(picture);
    FoundMarks hidden{nullptr, marks->scopes, 0}; // what has no box of its own
    const auto rest = std::make_shared<Found>();
    for (const FoundThing& thing : marks->found->things) {
        const auto box = thing.kind == FoundThing::Kind::ExecutionScope ? ofScope.find(thing.scope) : ofScope.end();
        if (box != ofScope.end())
            found.boxes.push_back(box->second);
        else
            rest->things.push_back(thing);
    }
    hidden.found = rest;
    const auto add = [&found](const std::vector<int>& boxes) {
        found.boxes.insert(found.boxes.end(), boxes.begin(), boxes.end());
    };
    add(picture.boxesOf(selectNodes(nodesStandingFor(hidden))));
    if (picture.isOpened())
        add(picture.boxesOfDrawn(marks->found->gone));
    std::ranges::sort(found.boxes);
    found.boxes.erase(std::ranges::unique(found.boxes).begin(), found.boxes.end());
    std::vector<int> current;
    if (const FoundThing* thing = marks->thing())
        current = picture.boxesOf(selectionOf(*thing, *marks->scopes));
    else if (picture.isOpened())
        current = picture.boxesOfDrawn({marks->gone()});
    if (!current.empty())
        found.current = current.front();
    return found;
}

FoundBoxes shownIn(const FoundBoxes& found, const Detail& detail)
{
    FoundBoxes shown;
    shown.boxes = detail.shown(found.boxes);
    if (found.current != Picture::kNoBox)
        shown.current = detail.shown(found.current);
    return shown;
}

void paintFound(QPainter& painter, const FoundBoxes& found, const Picture& picture, const Theme& theme,
    const QRectF& exposed, double zoom)
{
    painter.setBrush(Qt::NoBrush);
    const double corner = kCorner / std::max(zoom, 1.0);
    for (const int box : found.boxes) {
        const QRectF rect = ringAround(picture.frame(box), kRing, zoom);
        if (!rect.intersects(exposed))
            continue;
        painter.setPen(ringPen(theme.found.border, box == found.current ? 5 : 3));
        painter.drawRoundedRect(rect, corner, corner);
    }
}

} // namespace duo::ui
