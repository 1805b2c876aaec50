// SPDX-License-Identifier: Apache-2.0
#include "views/graph/inside_layout.h"

#include <QRectF>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace duo::ui {
namespace {

constexpr std::size_t kFewBoxes = 12; // are not wrapped
constexpr double kClearlyLarger = 1.3; // of a layout that is wrapped, or leads sideways
constexpr double kLeadIn = 14; // px that are seen of lines that come in and go out, at least
constexpr Size kEnd{20, 10}; // px; of a value that comes in or goes out, which is not drawn

Point turned(const Point& point)
{
    return {point.y, point.x};
}

/// [boxes] what they are inside; nothing for those that are not drawn.
using Places = std::vector<std::optional<std::uint32_t>>;

Places placesOf(const ViewGraph& graph)
{
    Places places{0};
    std::uint32_t next = 1;
    for (std::size_t b = 1; b < graph.boxes.size(); ++b)
        places.push_back(graph.boxes[b].parent < 0 ? std::nullopt : std::optional(next++));
    return places;
}

/// What of a line lies between two heights.
std::vector<Point> between(const std::vector<Point>& line, double top, double bottom)
{
    const auto at = [](const Point& a, const Point& b, double y) {
        return Point{a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y};
    };
    std::vector<Point> part;
    for (std::size_t p = 0; p < line.size(); ++p) {
        const Point& point = line[p];
        if (p > 0) {
            const Point& last = line[p - 1];
            for (const double y : {last.y < point.y ? top : bottom, last.y < point.y ? bottom : top}) {
                if ((last.y < y && y < point.y) || (point.y < y && y < last.y))
                    part.push_back(at(last, point, y));
            }
        }
        if (point.y >= top && point.y <= bottom)
            part.push_back(point);
    }
    return part;
}

/// What the boxes inside and the lines among them take, with a piece of those that come in and go out.
QRectF areaOf(const ViewGraph& graph, const PictureLayout& layout, const Places& places)
{
    QRectF area;
    const auto take = [&area](const Point& point) { area |= QRectF(point.x, point.y, 1e-6, 1e-6); };
    for (std::size_t b = 1; b < graph.boxes.size(); ++b) {
        const auto& box = layout.frames[b];
        if (places[b])
            area |= QRectF(box.topLeft.x, box.topLeft.y, box.size.width, box.size.height);
    }
    const double top = layout.frames.front().topLeft.y + kTitleBarHeight;
    const double bottom = layout.frames.front().topLeft.y + layout.frames.front().size.height;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        for (const Point& point : layout.lines[e]) {
            if (point.y > top && point.y < bottom)
                take(point);
        }
    }
    const double above = std::max(area.top() - kLeadIn, top);
    const double below = std::min(area.bottom() + kLeadIn, bottom);
    for (const auto& line : layout.lines) {
        for (const Point& point : between(line, above, below))
            take(point);
    }
    return area;
}

/// The layout of the open box 0 alone, without its title and its border.
Inside cutOut(const ViewGraph& graph, const PictureLayout& layout)
{
    const Places places = placesOf(graph);
    const QRectF area = areaOf(graph, layout, places);
    const auto moved = [&](const Point& point) { return Point{point.x - area.left(), point.y - area.top()}; };
    Inside inside;
    inside.layout.size = {area.width(), area.height()};
    for (std::size_t b = 0; b < graph.boxes.size(); ++b) {
        if (!places[b])
            continue;
        inside.graph.boxes.push_back(graph.boxes[b]);
        const auto& frame = layout.frames[b];
        inside.layout.frames.push_back({moved(frame.topLeft), frame.size, 0});
    }
    inside.layout.frames.front() = {{}, inside.layout.size, 0};
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        std::vector<Point> line = between(layout.lines[e], area.top(), area.bottom());
        if (line.size() < 2)
            continue;
        std::ranges::transform(line, line.begin(), moved);
        ViewEdge edge = graph.edges[e];
        edge.from = places[edge.from].value_or(0);
        edge.to = places[edge.to].value_or(0);
        inside.graph.edges.push_back(edge);
        inside.layout.lines.push_back(std::move(line));
    }
    return inside;
}

void turnInPlace(Inside& inside)
{
    inside.isSideways = true;
    PictureLayout& layout = inside.layout;
    for (auto& box : layout.frames)
        box = {turned(box.topLeft), {box.size.height, box.size.width}, 0};
    for (auto& line : layout.lines)
        std::ranges::transform(line, line.begin(), turned);
    layout.size = {layout.size.height, layout.size.width};
}

/// How large a room of that shape and one px of width shows it.
double scaleIn(const Inside& inside, double aspect)
{
    const Size& size = inside.layout.size;
    return std::min(1 / std::max(size.width, 1.0), 1 / (aspect * std::max(size.height, 1.0)));
}

} // namespace

Result<Inside> layoutInside(
    const ViewGraph& graph, double aspect, LayoutComposer& composer, const BoxSizes& sizes, const JobContext& job)
{
    std::optional<Inside> best;
    const auto consider = [&](bool isSideways, double wrapped) -> Status {
        const BoxSizes sizesInside = [&](const ViewBox& box) -> Size {
            if (box.parent < 0)
                return box.open ? Size{0, kTitleBarHeight} : kEnd;
            const Size size = sizes(box);
            return isSideways ? Size{size.height, size.width} : size;
        };
        const double inside = wrapped == 0 ? 0 : std::clamp(isSideways ? 1 / wrapped : wrapped, 0.1, kMostAspect);
        DUO_TRY(layout, composer.compose(graph, sizesInside, job, {.whole = 0, .inside = inside, .spread = 1}));
        Inside made = cutOut(graph, layout);
        if (isSideways)
            turnInPlace(made);
        if (!best || scaleIn(made, aspect) > kClearlyLarger * scaleIn(*best, aspect))
            best = std::move(made);
        return success();
    };
    DUO_CHECK(consider(false, 0));
    DUO_CHECK(consider(true, 0));
    if (best->graph.boxes.size() <= kFewBoxes)
        return *std::move(best);
    for (const bool isSideways : {false, true}) {
        for (const double other : {1.0, 0.6, 1.6})
            DUO_CHECK(consider(isSideways, aspect * other));
    }
    return *std::move(best);
}

} // namespace duo::ui
