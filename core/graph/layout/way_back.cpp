// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/way_back.h"

#include "core/support/sorted.h"

#include <algorithm>

namespace duo {
namespace {

bool leaves(const LayoutInput& input, std::uint32_t box)
{
    return input.pin(box) == Pin::Bottom;
}

bool isNeeded(const PlacedRows& placed)
{
    const LayeredGraph& graph = placed.graph;
    if (graph.rows.empty() || placed.columns.ofRank.back() == 0)
        return false;
    const std::uint32_t first = graph.spine.front();
    const std::uint32_t last = graph.spine.back();
    return first != LayeredGraph::kNone && last != LayeredGraph::kNone && placed.input.pin(first) == Pin::Top
        && std::ranges::all_of(graph.rows.back(),
            [&](std::uint32_t vertex) { return !graph.isBend(vertex) && leaves(placed.input, vertex); });
}

/// Where lines meet what leaves, from left to right.
std::vector<double> metAt(const LayoutResult& result, const LayoutInput& input)
{
    std::vector<double> places;
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        const LayoutInput::Edge& edge = input.edges[e];
        if (leaves(input, edge.from) != leaves(input, edge.to))
            places.push_back(leaves(input, edge.to) ? result.lines[e].back().x : result.lines[e].front().x);
    }
    sortUniqueInPlace(places);
    return places;
}

} // namespace

void leadBackInPlace(LayoutResult& result, const PlacedRows& placed)
{
    if (!isNeeded(placed))
        return;
    const double foot = placed.columns.depth;
    const std::vector<double> places = metAt(result, placed.input);
    const auto track = [&](std::size_t place) { return foot + kTrackGap * static_cast<double>(place + 1); };
    const Point move{placed.x[placed.graph.spine.front()] - placed.x[placed.graph.spine.back()],
        track(places.size()) - placed.columns.rows.back().top};
    const auto moved = [&](Point point) { return Point{point.x + move.x, point.y + move.y}; };
    const auto lengthenInPlace = [&](std::vector<Point>& line) {
        const Point end = line.back();
        const auto place = static_cast<std::size_t>(std::ranges::lower_bound(places, end.x) - places.begin());
        line.back().y = track(place);
        line.push_back({moved(end).x, track(place)});
        line.push_back(moved(end));
    };
    for (const std::uint32_t box : placed.graph.rows.back())
        result.centers[box] = moved(result.centers[box]);
    for (std::size_t e = 0; e < placed.input.edges.size(); ++e) {
        std::vector<Point>& line = result.lines[e];
        const bool isFrom = leaves(placed.input, placed.input.edges[e].from);
        const bool isTo = leaves(placed.input, placed.input.edges[e].to);
        if (isFrom && isTo) {
            std::ranges::transform(line, line.begin(), moved);
        } else if (isTo) {
            lengthenInPlace(line);
        } else if (isFrom) { // it leads upwards
            std::ranges::reverse(line);
            lengthenInPlace(line);
            std::ranges::reverse(line);
        }
    }
}

} // namespace duo
