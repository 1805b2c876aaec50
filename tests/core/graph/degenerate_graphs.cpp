// SPDX-License-Identifier: Apache-2.0
#include "tests/core/graph/degenerate_graphs.h"

#include "tests/support/picture_judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

namespace duo::test {
namespace {

LayoutInput randomOf(std::size_t boxes, std::size_t edges, std::uint32_t seed)
{
    std::mt19937 random(seed);
    LayoutInput input = graphOf(boxes, {});
    for (std::size_t e = 0; e < edges; ++e) {
        const auto from = static_cast<std::uint32_t>(random() % boxes);
        const auto to = static_cast<std::uint32_t>(random() % boxes);
        input.edges.push_back({from, to});
    }
    for (Size& box : input.boxes)
        box = {static_cast<double>(20 + random() % 300), static_cast<double>(10 + random() % 60)};
    return input;
}

LayoutInput pinned()
{
    LayoutInput input = graphOf(6, {{0, 2}, {1, 3}, {2, 3}, {3, 4}, {2, 5}, {0, 3}});
    input.pins = {Pin::Top, Pin::Top, Pin::Free, Pin::Free, Pin::Bottom, Pin::Bottom};
    return input;
}

/// Pins that contradict the edges, and edges between boxes pinned to one side.
LayoutInput pinnedAgainstEdges()
{
    LayoutInput input = graphOf(4, {{2, 0}, {0, 1}, {3, 2}, {1, 2}});
    input.pins = {Pin::Top, Pin::Top, Pin::Free, Pin::Bottom};
    return input;
}

struct Box {
    double left, right, top, bottom;
};

Box boxAt(const LayoutInput& input, const LayoutResult& result, std::size_t b)
{
    const Point c = result.centers[b];
    const Size s = input.boxes[b];
    return {c.x - s.width / 2, c.x + s.width / 2, c.y - s.height / 2, c.y + s.height / 2};
}

bool isOnBorder(const Box& box, Point p)
{
    constexpr double kNear = 1.5; // px; dot ends lines within a point of the border
    const bool inside
        = p.x > box.left - kNear && p.x < box.right + kNear && p.y > box.top - kNear && p.y < box.bottom + kNear;
    const bool deep
        = p.x > box.left + kNear && p.x < box.right - kNear && p.y > box.top + kNear && p.y < box.bottom - kNear;
    return inside && !deep;
}

std::string overlap(const LayoutInput& input, const LayoutResult& result)
{
    std::vector<std::size_t> order(input.boxes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(result.centers[a].y, result.centers[a].x)
            < std::pair(result.centers[b].y, result.centers[b].x);
    });
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
        const Box a = boxAt(input, result, order[i]);
        const Box b = boxAt(input, result, order[i + 1]);
        const double near = 0.01;
        if (a.left < b.right - near && b.left < a.right - near && a.top < b.bottom - near && b.top < a.bottom - near)
            return "boxes " + std::to_string(order[i]) + " and " + std::to_string(order[i + 1]) + " overlap";
    }
    return {};
}

} // namespace

LayoutInput graphOf(std::size_t boxes, const std::vector<LayoutInput::Edge>& edges)
{
    LayoutInput input;
    input.boxes.assign(boxes, {100, 28});
    input.edges = edges;
    return input;
}

LayoutInput chainOf(std::size_t boxes)
{
    LayoutInput input = graphOf(boxes, {});
    for (std::uint32_t b = 0; b + 1 < boxes; ++b)
        input.edges.push_back({b, b + 1});
    return input;
}

LayoutInput fanInOf(std::size_t sources)
{
    LayoutInput input = graphOf(sources + 1, {});
    for (std::uint32_t s = 0; s < sources; ++s)
        input.edges.push_back({s, static_cast<std::uint32_t>(sources)});
    return input;
}

LayoutInput denseOf(std::size_t boxes)
{
    LayoutInput input = graphOf(boxes, {});
    for (std::uint32_t to = 1; to < boxes; ++to) {
        for (std::uint32_t from = 0; from < to; ++from)
            input.edges.push_back({from, to});
    }
    return input;
}

std::vector<NamedInput> degenerateGraphs()
{
    std::vector<NamedInput> graphs{
        {"empty", graphOf(0, {})},
        {"one box", graphOf(1, {})},
        {"self loop", graphOf(1, {{0, 0}})},
        {"two in a cycle", graphOf(2, {{0, 1}, {1, 0}})},
        {"cycle with self loops", graphOf(3, {{0, 1}, {1, 2}, {2, 0}, {1, 1}, {2, 2}})},
        {"multi-edges", graphOf(2, {{0, 1}, {0, 1}, {0, 1}, {1, 0}})},
        {"disconnected", graphOf(7, {{0, 1}, {2, 3}, {5, 4}})},
        {"no edges", graphOf(100, {})},
        {"dense", denseOf(25)},
        {"long skip", chainOf(40)},
        {"pinned", pinned()},
        {"pinned against edges", pinnedAgainstEdges()},
        {"flat boxes", graphOf(3, {{0, 1}, {1, 2}})},
    };
    graphs[9].input.edges.push_back({0, 39});
    graphs[12].input.boxes[1] = {0, 0};
    for (std::uint32_t seed = 1; seed <= 12; ++seed)
        graphs.push_back({"random " + std::to_string(seed), randomOf(5 * seed, 7 * seed, seed)});
    return graphs;
}

std::string problemOf(const LayoutInput& input, const LayoutResult& result)
{
    if (result.centers.size() != input.boxes.size() || result.lines.size() != input.edges.size())
        return "not every box and edge has a place";
    for (std::size_t b = 0; b < input.boxes.size(); ++b) {
        const Box box = boxAt(input, result, b);
        const double near = 0.01;
        if (!(box.left >= -near && box.right <= result.size.width + near && box.top >= -near
                && box.bottom <= result.size.height + near))
            return "box " + std::to_string(b) + " lies outside";
    }
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        const auto& line = result.lines[e];
        if (line.size() < 2 || !isOnBorder(boxAt(input, result, input.edges[e].from), line.front())
            || !isOnBorder(boxAt(input, result, input.edges[e].to), line.back()))
            return "line " + std::to_string(e) + " does not join its boxes";
    }
    return overlap(input, result);
}

std::size_t edgesThroughBoxes(const LayoutInput& input, const LayoutResult& result)
{
    std::size_t count = 0;
    for (const auto& line : result.lines) {
        for (std::size_t b = 0; b < input.boxes.size(); ++b) {
            const Box box = boxAt(input, result, b);
            bool isHit = false;
            for (std::size_t p = 1; p < line.size(); ++p)
                isHit = isHit || leadsThrough(line[p - 1], line[p], {box.left, box.top}, input.boxes[b]);
            count += isHit ? 1 : 0;
        }
    }
    return count;
}

} // namespace duo::test
