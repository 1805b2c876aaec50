// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/layered_layout.h"

#include "core/graph/layout/coordinates.h"
#include "core/graph/layout/ranks.h"
#include "core/graph/layout/row_order.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr double kRowGap = 30; // px
constexpr std::size_t kMostBends = 20000; // with bends for all edges
constexpr std::size_t kLongestBent = 24; // rows crossed by an edge that gets bends beyond that
constexpr double kLoopReach = 14; // px a self loop stands out

struct Row {
    double top = 0;
    double bottom = 0;
};

std::vector<Row> rowsOf(const LayoutInput& input, const LayeredGraph& graph)
{
    std::vector<Row> rows(graph.rows.size());
    for (std::size_t b = 0; b < input.boxes.size(); ++b)
        rows[graph.rank[b]].bottom = std::max(rows[graph.rank[b]].bottom, input.boxes[b].height);
    double top = 0;
    for (Row& row : rows) {
        const double height = row.bottom;
        row = {top, top + height};
        top = row.bottom + kRowGap;
    }
    return rows;
}

class Router
{
public:
    Router(const LayoutInput& input, const LayeredGraph& graph, const std::vector<double>& x,
        const std::vector<Row>& rows, const std::vector<Point>& centers)
        : m_input(input)
        , m_graph(graph)
        , m_x(x)
        , m_rows(rows)
        , m_centers(centers)
    {
    }

    [[nodiscard]] std::vector<Point> line(std::size_t edge) const
    {
        const auto [from, to] = m_input.edges[edge];
        if (from == to)
            return loop(from);
        if (m_graph.rank[from] == m_graph.rank[to])
            return sideways(from, to);
        const bool downwards = m_graph.rank[from] < m_graph.rank[to];
        std::vector<Point> points = downLine(edge, downwards ? from : to, downwards ? to : from);
        if (!downwards)
            std::reverse(points.begin(), points.end());
        return points;
    }

private:
    [[nodiscard]] std::vector<Point> downLine(std::size_t edge, std::uint32_t upper, std::uint32_t lower) const
    {
        const double half = m_input.boxes[upper].height / 2;
        std::vector<Point> points{{m_centers[upper].x, m_centers[upper].y + half}};
        const std::uint32_t first = m_graph.firstBend[edge];
        for (std::uint32_t bend = first; bend < first + m_graph.bends[edge]; ++bend) {
            const Row& row = m_rows[m_graph.rank[bend]];
            points.push_back({m_x[bend], row.top});
            points.push_back({m_x[bend], row.bottom});
        }
        points.push_back({m_centers[lower].x, m_centers[lower].y - m_input.boxes[lower].height / 2});
        return withoutStraightPoints(points);
    }

    /// Points that lie on the vertical between their neighbours say nothing.
    static std::vector<Point> withoutStraightPoints(const std::vector<Point>& points)
    {
        constexpr double kNear = 0.01;
        std::vector<Point> kept{points.front()};
        for (std::size_t i = 1; i + 1 < points.size(); ++i) {
            const bool isStraight
                = std::abs(points[i].x - kept.back().x) < kNear && std::abs(points[i + 1].x - points[i].x) < kNear;
            if (!isStraight)
                kept.push_back(points[i]);
        }
        kept.push_back(points.back());
        return kept;
    }

    [[nodiscard]] std::vector<Point> loop(std::uint32_t box) const
    {
        const Point center = m_centers[box];
        const double right = center.x + m_input.boxes[box].width / 2;
        const double quarter = m_input.boxes[box].height / 4;
        return {{right, center.y - quarter}, {right + kLoopReach, center.y - quarter},
            {right + kLoopReach, center.y + quarter}, {right, center.y + quarter}};
    }

    [[nodiscard]] std::vector<Point> sideways(std::uint32_t from, std::uint32_t to) const
    {
        const double side = m_centers[from].x < m_centers[to].x ? 0.5 : -0.5;
        return {{m_centers[from].x + side * m_input.boxes[from].width, m_centers[from].y},
            {m_centers[to].x - side * m_input.boxes[to].width, m_centers[to].y}};
    }

    const LayoutInput& m_input;
    const LayeredGraph& m_graph;
    const std::vector<double>& m_x;
    const std::vector<Row>& m_rows;
    const std::vector<Point>& m_centers;
};

/// Moves everything so that it starts at (0, 0), and measures it.
void fitInPlace(LayoutResult& result, const LayoutInput& input)
{
    Point low{HUGE_VAL, HUGE_VAL};
    Point high{-HUGE_VAL, -HUGE_VAL};
    const auto cover = [&](double x, double y) {
        low = {std::min(low.x, x), std::min(low.y, y)};
        high = {std::max(high.x, x), std::max(high.y, y)};
    };
    for (std::size_t b = 0; b < input.boxes.size(); ++b) {
        const Size half{input.boxes[b].width / 2, input.boxes[b].height / 2};
        cover(result.centers[b].x - half.width, result.centers[b].y - half.height);
        cover(result.centers[b].x + half.width, result.centers[b].y + half.height);
    }
    for (const auto& line : result.lines) {
        for (const Point& point : line)
            cover(point.x, point.y);
    }
    if (input.boxes.empty())
        return;
    const auto move = [&](Point& point) { point = {point.x - low.x, point.y - low.y}; };
    std::for_each(result.centers.begin(), result.centers.end(), move);
    for (auto& line : result.lines)
        std::for_each(line.begin(), line.end(), move);
    result.size = {high.x - low.x, high.y - low.y};
}

std::size_t longestBent(const LayoutInput& input, const std::vector<std::uint32_t>& rank)
{
    std::size_t bends = 0;
    for (const auto& edge : input.edges) {
        const auto [low, high] = std::minmax(rank[edge.from], rank[edge.to]);
        bends += high - low;
    }
    return bends <= kMostBends ? kMostBends : kLongestBent;
}

} // namespace

Status checkLayoutInput(const LayoutInput& input)
{
    const auto wrong = [](std::string what) { return Error{ErrorCode::Internal, std::move(what), "layout input", {}}; };
    if (!input.pins.empty() && input.pins.size() != input.boxes.size())
        return wrong("there are not as many pins as boxes");
    const auto isSide = [](double side) { return side >= 0 && side <= kMaxBoxSide; };
    for (std::size_t b = 0; b < input.boxes.size(); ++b) {
        if (!isSide(input.boxes[b].width) || !isSide(input.boxes[b].height))
            return wrong("box " + std::to_string(b) + " has no valid size");
    }
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        if (std::max(input.edges[e].from, input.edges[e].to) >= input.boxes.size())
            return wrong("edge " + std::to_string(e) + " has an end outside the boxes");
    }
    return success();
}

Result<LayoutResult> layeredLayout(const LayoutInput& input)
{
    DUO_CHECK(checkLayoutInput(input));
    std::vector<std::uint32_t> rank = findRanks(input);
    const std::size_t longest = longestBent(input, rank);
    LayeredGraph graph = makeLayered(input, std::move(rank), longest);
    orderRowsInPlace(graph);
    const std::vector<double> x = findCenters(graph);
    const std::vector<Row> rows = rowsOf(input, graph);
    LayoutResult result;
    result.engine = "layered";
    for (std::size_t b = 0; b < input.boxes.size(); ++b) {
        const Row& row = rows[graph.rank[b]];
        result.centers.push_back({x[b], (row.top + row.bottom) / 2});
    }
    const Router router(input, graph, x, rows, result.centers);
    for (std::size_t e = 0; e < input.edges.size(); ++e)
        result.lines.push_back(router.line(e));
    fitInPlace(result, input);
    return result;
}

} // namespace duo
