// SPDX-License-Identifier: Apache-2.0
#include "views/graph/covered.h"

#include "views/graph/box_sizes.h"

#include <algorithm>
#include <cmath>

namespace duo::ui {
namespace {

constexpr double kLineWidth = 4; // px that a line counts for

double areaOf(const QRectF& rect)
{
    return rect.isEmpty() ? 0 : rect.width() * rect.height();
}

/// px of a line inside the area; of a slanted piece about.
double lengthIn(const QRectF& area, const std::vector<Point>& line)
{
    double length = 0;
    for (std::size_t i = 1; i < line.size(); ++i) {
        const auto [left, right] = std::minmax(line[i - 1].x, line[i].x);
        const auto [top, bottom] = std::minmax(line[i - 1].y, line[i].y);
        const double width = std::min(right, area.right()) - std::max(left, area.left());
        const double height = std::min(bottom, area.bottom()) - std::max(top, area.top());
        if (width >= 0 && height >= 0)
            length += std::hypot(width, height);
    }
    return length;
}

} // namespace

double boxesCoveredIn(const Picture& picture, const Detail& detail, const QRectF& area)
{
    double covered = 0;
    for (int box = 0; box < static_cast<int>(picture.graph.boxes.size()); ++box) {
        QRectF shown = picture.frame(box);
        if (detail.look(box) == Detail::Look::Hidden)
            continue;
        if (detail.look(box) == Detail::Look::Frame)
            shown.setHeight(std::min(shown.height(), kTitleBarHeight * picture.scale(box)));
        covered += areaOf(shown.intersected(area));
    }
    return covered;
}

double coveredIn(const Picture& picture, const Detail& detail, const QRectF& area)
{
    return boxesCoveredIn(picture, detail, area) + linesCoveredIn(picture, detail, area);
}

double linesCoveredIn(const Picture& picture, const Detail& detail, const QRectF& area)
{
    double covered = 0;
    for (std::size_t i = 0; i < picture.graph.edges.size(); ++i) {
        const ViewEdge& edge = picture.graph.edges[i];
        if (detail.shown(static_cast<int>(edge.from)) != detail.shown(static_cast<int>(edge.to)))
            covered += kLineWidth * lengthIn(area, picture.layout.lines[i]);
    }
    return covered;
}

double bordersCoveredIn(const Picture& picture, const Detail& detail, const QRectF& area)
{
    double covered = 0;
    for (int box = 0; box < static_cast<int>(picture.graph.boxes.size()); ++box) {
        const QRectF frame = picture.frame(box);
        if (detail.look(box) == Detail::Look::Frame)
            covered += kLineWidth
                * lengthIn(area,
                    {{frame.left(), frame.top()}, {frame.right(), frame.top()}, {frame.right(), frame.bottom()},
                        {frame.left(), frame.bottom()}, {frame.left(), frame.top()}});
    }
    return covered;
}

} // namespace duo::ui
