// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/edge_router.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace duo {
namespace {

constexpr std::uint32_t kNone = LayeredGraph::kNone;
constexpr double kEndGap = 12; // px between lines that meet a box side by side
constexpr double kCorner = 8; // px from a corner of a box that no line meets
constexpr double kHeadroom = 12; // px between the last track and the row it leads to

/// One end of an edge at the upper or the lower side of a box.
struct End {
    std::uint32_t box = 0;
    bool isBelow = false; // it leaves downwards
    double sideways = 0; // px to where the edge goes next
    std::uint32_t edge = 0;
    bool meetsBend = false;

    [[nodiscard]] auto key() const { return std::tuple(box, isBelow, sideways, edge); }
};

class Router
{
public:
    explicit Router(const PlacedRows& placed)
        : m_placed(placed)
        , m_upperAt(placed.input.edges.size(), 0)
        , m_lowerAt(placed.input.edges.size(), 0)
        , m_crossing(placed.columns.shift.size())
        , m_turnsAt(placed.input.edges.size())
    {
        spreadEnds();
        numberCrossings();
        findEarlyTurns();
    }

    [[nodiscard]] std::vector<Point> line(std::uint32_t e) const
    {
        const LayoutInput::Edge& edge = m_placed.input.edges[e];
        if (edge.from == edge.to)
            return loop(edge.from);
        if (m_placed.beside[edge.from] != kNone)
            return fromBeside(edge);
        if (rank(edge.from) == rank(edge.to))
            return sideways(edge.from, edge.to);
        std::vector<Point> points = downLine(e);
        if (rank(edge.from) > rank(edge.to))
            std::ranges::reverse(points);
        return points;
    }

private:
    [[nodiscard]] std::uint32_t rank(std::uint32_t vertex) const { return m_placed.graph.rank[vertex]; }
    [[nodiscard]] std::uint32_t column(std::uint32_t vertex) const { return m_placed.columns.ofRank[rank(vertex)]; }
    [[nodiscard]] const Columns::Row& row(std::uint32_t vertex) const { return m_placed.columns.rows[rank(vertex)]; }

    [[nodiscard]] bool isDrawnDown(std::uint32_t e) const
    {
        const LayoutInput::Edge& edge = m_placed.input.edges[e];
        return m_placed.beside[edge.from] == kNone && rank(edge.from) != rank(edge.to);
    }

    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> ends(std::uint32_t e) const
    {
        const LayoutInput::Edge& edge = m_placed.input.edges[e];
        return rank(edge.from) < rank(edge.to) ? std::pair(edge.from, edge.to) : std::pair(edge.to, edge.from);
    }

    /// Vertices of an edge from its upper to its lower end.
    [[nodiscard]] std::vector<std::uint32_t> chain(std::uint32_t e) const
    {
        const auto [upper, lower] = ends(e);
        std::vector<std::uint32_t> vertices{upper};
        for (std::uint32_t i = 0; i < m_placed.graph.bends[e]; ++i)
            vertices.push_back(m_placed.graph.firstBend[e] + i);
        vertices.push_back(lower);
        return vertices;
    }

    /// Lines that meet one side of a box do so side by side, the straightest one on the axis.
    void spreadEnds()
    {
        std::vector<End> found;
        for (std::uint32_t e = 0; e < m_placed.input.edges.size(); ++e) {
            if (!isDrawnDown(e))
                continue;
            const LayoutInput::Edge& edge = m_placed.input.edges[e];
            const std::vector<std::uint32_t> vertices = chain(e);
            const auto& upperAt = vertices.front() == edge.from ? edge.leaves : edge.enters;
            const auto& lowerAt = vertices.back() == edge.to ? edge.enters : edge.leaves;
            const std::size_t last = vertices.size() - 1;
            if (upperAt)
                m_upperAt[e] = *upperAt - m_placed.graph.axis[vertices.front()];
            if (lowerAt)
                m_lowerAt[e] = *lowerAt - m_placed.graph.axis[vertices.back()];
            const bool isShort = last == 1;
            if (!upperAt) {
                const double other = isShort && lowerAt ? m_lowerAt[e] : 0;
                found.push_back({vertices.front(), true, towards(vertices[0], vertices[1]) + other, e,
                    m_placed.graph.isBend(vertices[1])});
            }
            if (!lowerAt) {
                const double other = isShort && upperAt ? m_upperAt[e] : 0;
                found.push_back({vertices.back(), false, towards(vertices[last], vertices[last - 1]) + other, e,
                    m_placed.graph.isBend(vertices[last - 1])});
            }
        }
        std::ranges::sort(found, {}, &End::key);
        for (auto first = found.begin(); first != found.end();) {
            const auto last = std::find_if(first, found.end(),
                [&](const End& end) { return end.box != first->box || end.isBelow != first->isBelow; });
            spreadSide(std::span(first, last));
            first = last;
        }
    }

    /// px sideways to the next vertex; what goes to another column leads to its side.
    [[nodiscard]] double towards(std::uint32_t vertex, std::uint32_t next) const
    {
        constexpr double kFar = 1e9;
        if (column(next) != column(vertex))
            return column(next) > column(vertex) ? kFar : -kFar;
        return m_placed.x[next] - m_placed.x[vertex];
    }

    void spreadSide(std::span<const End> ends)
    {
        const double half = m_placed.input.boxes[ends.front().box].width / 2;
        const double axis = m_placed.graph.axis[ends.front().box];
        const std::size_t count = ends.size();
        std::size_t straight = 0;
        for (std::size_t i = 1; i < count; ++i) {
            if (std::abs(ends[i].sideways) < std::abs(ends[straight].sideways))
                straight = i;
        }
        const double right = std::max(half - axis - kCorner, 0.0);
        const double left = std::max(half + axis - kCorner, 0.0);
        const double stepRight
            = std::min(kEndGap, right / static_cast<double>(std::max(count - 1 - straight, std::size_t{1})));
        const double stepLeft = std::min(kEndGap, left / static_cast<double>(std::max(straight, std::size_t{1})));
        place(ends[straight], 0);
        double at = 0;
        for (std::size_t i = straight + 1; i < count; ++i) {
            const double room = right - stepRight * static_cast<double>(count - 1 - i);
            at = std::max(at + stepRight, ends[i].meetsBend && ends[i].sideways <= room ? ends[i].sideways : 0);
            place(ends[i], at);
        }
        at = 0;
        for (std::size_t i = straight; i-- > 0;) {
            const double room = left - stepLeft * static_cast<double>(i);
            at = std::max(at + stepLeft, ends[i].meetsBend && -ends[i].sideways <= room ? -ends[i].sideways : 0);
            place(ends[i], -at);
        }
    }

    void place(const End& end, double at) { (end.isBelow ? m_upperAt : m_lowerAt)[end.edge] = at; }

    /// Lines that lead from one column to the next, from left to right.
    void numberCrossings()
    {
        for (std::uint32_t e = 0; e < m_placed.input.edges.size(); ++e) {
            if (!isDrawnDown(e))
                continue;
            const std::vector<std::uint32_t> vertices = chain(e);
            for (std::size_t i = 0; i + 1 < vertices.size(); ++i) {
                if (turns(vertices, i) && goesUp(e, vertices, i))
                    m_crossing[column(vertices[i])].emplace_back(meets(e, vertices[i], true), e);
            }
        }
        for (auto& lines : m_crossing)
            std::ranges::sort(lines);
    }

    /// Whether it leads from the foot of one column to the head of the next there.
    [[nodiscard]] bool turns(const std::vector<std::uint32_t>& vertices, std::size_t i) const
    {
        return rank(vertices[i + 1]) == rank(vertices[i]) + 1 && column(vertices[i + 1]) != column(vertices[i]);
    }

    /// What is rightmost in its column, but for others like it that begin above, need not go down to the foot: it turns
    /// into the gutter in the row below its upper end.
    void findEarlyTurns()
    {
        const LayeredGraph& graph = m_placed.graph;
        std::vector<std::uint32_t> fromRight(graph.rank.size(), 0); // [vertices] how many are right of it in its row
        for (const auto& row : graph.rows) {
            for (std::uint32_t i = 0; i < row.size(); ++i)
                fromRight[row[i]] = static_cast<std::uint32_t>(row.size()) - 1 - i;
        }
        std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> begins; // rank, from right, edge
        for (std::uint32_t e = 0; e < graph.bends.size(); ++e) {
            const auto& lane = m_placed.columns.lane[e];
            if (graph.bends[e] > 0 && !(lane && lane->isBelow))
                begins.emplace_back(rank(graph.firstBend[e]), fromRight[graph.firstBend[e]], e);
        }
        std::ranges::sort(begins);
        std::vector<std::uint32_t> turned(graph.rows.size(), 0); // how many, which are the last ones of the row
        std::vector<std::uint32_t> turning(graph.rows.size(), 0); // in that row
        for (const auto& [first, place, e] : begins) {
            const std::vector<std::uint32_t> vertices = chain(e);
            const std::uint32_t within = column(vertices.front());
            const auto end = std::find_if(
                vertices.begin() + 1, vertices.end(), [&](std::uint32_t v) { return column(v) != within; });
            const std::span inside(vertices.begin() + 1, end);
            const double y = m_placed.columns.rows[first].top + kTrackGap * turning[first];
            const bool isFree
                = std::ranges::all_of(inside, [&](std::uint32_t v) { return fromRight[v] == turned[rank(v)]; });
            if (end == vertices.end() || inside.empty() || !isFree || y > m_placed.columns.rows[first].bottom)
                continue;
            for (const std::uint32_t vertex : inside)
                ++turned[rank(vertex)];
            ++turning[first];
            m_turnsAt[e] = y;
        }
    }

    /// Of an edge in a lane: only behind its first column, or before its last one.
    [[nodiscard]] bool goesUp(std::uint32_t e, const std::vector<std::uint32_t>& vertices, std::size_t i) const
    {
        const auto& lane = m_placed.columns.lane[e];
        return !lane
            || (lane->isBelow ? column(vertices[i + 1]) == column(vertices.back())
                              : column(vertices[i]) == column(vertices.front()));
    }

    /// x at which an edge leaves a vertex downwards, or comes to it from above.
    [[nodiscard]] double meets(std::uint32_t e, std::uint32_t vertex, bool isUpper) const
    {
        const double axis = m_placed.x[vertex];
        return m_placed.graph.isBend(vertex) ? axis : axis + (isUpper ? m_upperAt : m_lowerAt)[e];
    }

    /// The same of what turns early: it need not lead back to the first vertex below its upper end, since nothing
    /// stands right of that.
    [[nodiscard]] double turnsFrom(std::uint32_t e, std::uint32_t upper, std::uint32_t vertex) const
    {
        return std::max(meets(e, upper, true), meets(e, vertex, true));
    }

    [[nodiscard]] std::vector<Point> downLine(std::uint32_t e) const
    {
        const std::vector<std::uint32_t> vertices = chain(e);
        const std::uint32_t upper = vertices.front();
        const std::uint32_t lower = vertices.back();
        std::vector<Point> points{
            {meets(e, upper, true), m_placed.centers[upper].y + m_placed.input.boxes[upper].height / 2}};
        for (std::size_t i = 0; i + 1 < vertices.size(); ++i) {
            const bool isEarly = m_turnsAt[e] && i > 0 && column(vertices[i]) == column(upper);
            if (!isEarly)
                points.push_back({meets(e, vertices[i], true), row(vertices[i]).bottom});
            else if (i == 1)
                points.push_back({turnsFrom(e, upper, vertices[i]), *m_turnsAt[e]});
            if (turns(vertices, i)) {
                const std::size_t first = i;
                while (m_placed.columns.lane[e] && column(vertices[i + 1]) != column(lower))
                    ++i; // past the columns between
                const bool goesUpLate = m_placed.columns.lane[e] && m_placed.columns.lane[e]->isBelow;
                addDetour(points, e, vertices[goesUpLate ? i : first], vertices[i + 1]);
            }
            const std::uint32_t next = vertices[i + 1];
            const bool isGone = isEarly && column(next) == column(upper);
            const bool isTurning = m_turnsAt[e] && i == 0;
            if (!isGone)
                points.push_back({isTurning ? turnsFrom(e, upper, next) : meets(e, next, false), row(next).top});
        }
        points.push_back({meets(e, lower, false), m_placed.centers[lower].y - m_placed.input.boxes[lower].height / 2});
        return withoutStraightPoints(points);
    }

    /// Down to the foot of the column, up in the gutter beside it, and over to the next column's head. The leftmost
    /// line goes outermost, so none crosses another. In a lane it passes columns below before it goes up, or above
    /// after.
    /// @param from in the column beside whose gutter it goes up
    void addDetour(std::vector<Point>& points, std::uint32_t e, std::uint32_t from, std::uint32_t to) const
    {
        const auto& lines = m_crossing[column(from)];
        const auto found = std::ranges::lower_bound(lines, std::pair(meets(e, from, true), e));
        const double inner = kTrackGap * static_cast<double>(found - lines.begin());
        const double outer = kTrackGap * static_cast<double>(lines.end() - found - 1);
        const auto& lane = m_placed.columns.lane[e];
        const double usual = lane && lane->isBelow ? lane->y : m_placed.columns.foot[column(from)] - inner;
        const bool isFirst = column(from) == column(ends(e).first);
        const double foot = m_turnsAt[e] && isFirst ? *m_turnsAt[e] : usual;
        const double gutter = m_placed.columns.gutter[column(from)] + outer;
        const double head = lane && !lane->isBelow ? lane->y : row(to).top - kHeadroom - inner;
        points.push_back({points.back().x, foot});
        points.push_back({gutter, foot});
        points.push_back({gutter, head});
        points.push_back({meets(e, to, false), head});
    }

    /// Points that lie between their neighbours on one horizontal or vertical line say nothing.
    static std::vector<Point> withoutStraightPoints(const std::vector<Point>& points)
    {
        constexpr double kNear = 0.01;
        const auto isSame = [](double a, double b) { return std::abs(a - b) < kNear; };
        std::vector<Point> kept{points.front()};
        for (std::size_t i = 1; i + 1 < points.size(); ++i) {
            const Point before = kept.back();
            const Point at = points[i];
            const Point after = points[i + 1];
            const bool isVertical = isSame(at.x, before.x) && isSame(after.x, at.x);
            const bool isHorizontal = isSame(at.y, before.y) && isSame(after.y, at.y);
            const bool isRepeat = (isSame(at.x, before.x) && isSame(at.y, before.y))
                || (isSame(at.x, after.x) && isSame(at.y, after.y));
            if (!isVertical && !isHorizontal && !isRepeat)
                kept.push_back(at);
        }
        kept.push_back(points.back());
        return kept;
    }

    [[nodiscard]] std::vector<Point> loop(std::uint32_t box) const
    {
        const Point center = m_placed.centers[box];
        const double right = center.x + m_placed.input.boxes[box].width / 2;
        const double quarter = m_placed.input.boxes[box].height / 4;
        return {{right, center.y - quarter}, {right + kLoopReach, center.y - quarter},
            {right + kLoopReach, center.y + quarter}, {right, center.y + quarter}};
    }

    [[nodiscard]] std::vector<Point> sideways(std::uint32_t from, std::uint32_t to) const
    {
        const double side = m_placed.centers[from].x < m_placed.centers[to].x ? 0.5 : -0.5;
        return {{m_placed.centers[from].x + side * m_placed.input.boxes[from].width, m_placed.centers[from].y},
            {m_placed.centers[to].x - side * m_placed.input.boxes[to].width, m_placed.centers[to].y}};
    }

    /// To the reader's left side, at the same height if the reader is as tall.
    [[nodiscard]] std::vector<Point> fromBeside(const LayoutInput::Edge& edge) const
    {
        const Point from = m_placed.centers[edge.from];
        const Point to = m_placed.centers[edge.to];
        const Size reader = m_placed.input.boxes[edge.to];
        const double reach = std::max(reader.height / 2 - kCorner, 0.0);
        return {{from.x + m_placed.input.boxes[edge.from].width / 2, from.y},
            {to.x - reader.width / 2, std::clamp(from.y, to.y - reach, to.y + reach)}};
    }

    const PlacedRows& m_placed;
    std::vector<double> m_upperAt; // [edges] px from the axis of the upper box
    std::vector<double> m_lowerAt; // [edges]
    std::vector<std::vector<std::pair<double, std::uint32_t>>> m_crossing; // [columns] x and edge, ascending
    std::vector<std::optional<double>>
        m_turnsAt; // [edges] y at which they leave their first column, if not at its foot
};

} // namespace

std::vector<std::vector<Point>> routeEdges(const PlacedRows& placed)
{
    const Router router(placed);
    std::vector<std::vector<Point>> lines;
    lines.reserve(placed.input.edges.size());
    for (std::uint32_t e = 0; e < placed.input.edges.size(); ++e)
        lines.push_back(router.line(e));
    return lines;
}

} // namespace duo
