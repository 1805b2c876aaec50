// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/layered_layout.h"

#include "core/graph/layout/layout.h"
#include "core/graph/layout/ranks.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace duo {
namespace {

/// Neighbours of every vertex in one direction.
struct Adjacency {
    std::vector<std::uint32_t> begin; // [vertices + 1]
    std::vector<std::uint32_t> ends;

    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t vertex) const
    {
        return std::span(ends).subspan(begin[vertex], begin[vertex + 1] - begin[vertex]);
    }
};

struct LayeredGraph {
    std::size_t boxes = 0; // vertices [0, boxes) are boxes, the others bends
    std::vector<std::uint32_t> rank; // [vertices]
    std::vector<double> width; // [vertices]
    std::vector<std::vector<std::uint32_t>> rows; // [ranks] vertices from left to right
    Adjacency above; // neighbours one row up
    Adjacency below; // neighbours one row down
    std::vector<std::uint32_t> firstBend; // [edges] first of the consecutive bends of an edge, from its upper end
    std::vector<std::uint32_t> bends; // [edges] how many; 0 for short edges and for those drawn as one straight line
};

constexpr double kBendWidth = 4;
constexpr std::size_t kMostBentEnds = 64; // edges at one box that still get bends

struct Step {
    std::uint32_t upper;
    std::uint32_t lower;
};

Adjacency adjacency(std::size_t vertices, const std::vector<Step>& steps, bool downwards)
{
    Adjacency result{std::vector<std::uint32_t>(vertices + 1, 0), std::vector<std::uint32_t>(steps.size())};
    for (const Step& step : steps)
        ++result.begin[(downwards ? step.upper : step.lower) + 1];
    for (std::size_t v = 0; v < vertices; ++v)
        result.begin[v + 1] += result.begin[v];
    std::vector<std::uint32_t> next(result.begin.begin(), result.begin.end() - 1);
    for (const Step& step : steps)
        result.ends[next[downwards ? step.upper : step.lower]++] = downwards ? step.lower : step.upper;
    return result;
}

std::vector<std::size_t> edgesPerBox(const LayoutInput& input)
{
    std::vector<std::size_t> count(input.boxes.size(), 0);
    for (const auto& edge : input.edges) {
        ++count[edge.from];
        ++count[edge.to];
    }
    return count;
}

/// Edges that cross more than `longest` rows, or end at a box with more than 64 edges, get no bends. Rows are in order
/// of vertices. O(boxes + edges + bends).
LayeredGraph makeLayered(const LayoutInput& input, std::vector<std::uint32_t> rank, std::size_t longest)
{
    LayeredGraph graph;
    graph.boxes = input.boxes.size();
    graph.rank = std::move(rank);
    for (const Size& box : input.boxes)
        graph.width.push_back(box.width);
    graph.firstBend.assign(input.edges.size(), 0);
    graph.bends.assign(input.edges.size(), 0);
    const std::vector<std::size_t> ends = edgesPerBox(input);
    std::vector<Step> steps;
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        auto [upper, lower] = input.edges[e];
        if (graph.rank[upper] > graph.rank[lower])
            std::swap(upper, lower);
        const std::uint32_t distance = graph.rank[lower] - graph.rank[upper];
        const bool isFan = std::max(ends[upper], ends[lower]) > kMostBentEnds;
        if (distance == 0 || (distance > 1 && (distance - 1 > longest || isFan)))
            continue;
        graph.firstBend[e] = static_cast<std::uint32_t>(graph.rank.size());
        graph.bends[e] = distance - 1;
        std::uint32_t previous = upper;
        for (std::uint32_t i = 1; i < distance; ++i) {
            const auto bend = static_cast<std::uint32_t>(graph.rank.size());
            graph.rank.push_back(graph.rank[upper] + i);
            graph.width.push_back(kBendWidth);
            steps.push_back({previous, bend});
            previous = bend;
        }
        steps.push_back({previous, lower});
    }
    const std::size_t vertices = graph.rank.size();
    graph.above = adjacency(vertices, steps, false);
    graph.below = adjacency(vertices, steps, true);
    graph.rows.resize(vertices == 0 ? 0 : std::size_t{*std::max_element(graph.rank.begin(), graph.rank.end())} + 1);
    for (std::uint32_t v = 0; v < vertices; ++v)
        graph.rows[graph.rank[v]].push_back(v);
    return graph;
}

constexpr int kMostSweeps = 24;
constexpr int kPatience = 4; // sweeps without gain

/// Fills the rows in the order in which a walk over neighbours, downwards first, meets the vertices.
void walkInPlace(LayeredGraph& graph)
{
    const std::vector<std::vector<std::uint32_t>> starts = std::exchange(graph.rows, {});
    graph.rows.resize(starts.size());
    std::vector<bool> seen(graph.rank.size(), false);
    std::vector<std::uint32_t> stack;
    for (const auto& row : starts) {
        for (const std::uint32_t start : row) {
            stack.push_back(start);
            while (!stack.empty()) {
                const std::uint32_t vertex = stack.back();
                stack.pop_back();
                if (seen[vertex])
                    continue;
                seen[vertex] = true;
                graph.rows[graph.rank[vertex]].push_back(vertex);
                const auto above = graph.above.of(vertex);
                const auto below = graph.below.of(vertex);
                stack.insert(stack.end(), above.rbegin(), above.rend());
                stack.insert(stack.end(), below.rbegin(), below.rend());
            }
        }
    }
}

std::vector<std::uint32_t> positions(const LayeredGraph& graph)
{
    std::vector<std::uint32_t> position(graph.rank.size());
    for (const auto& row : graph.rows) {
        for (std::uint32_t i = 0; i < row.size(); ++i)
            position[row[i]] = i;
    }
    return position;
}

/// Sorts one row by the mean position of the neighbours in the row before; who has none stays where it is.
void sortRowInPlace(std::vector<std::uint32_t>& row, const Adjacency& neighbours, std::vector<std::uint32_t>& position)
{
    std::vector<std::pair<double, std::uint32_t>> keyed;
    keyed.reserve(row.size());
    for (const std::uint32_t vertex : row) {
        double sum = 0;
        for (const std::uint32_t neighbour : neighbours.of(vertex))
            sum += position[neighbour];
        const auto count = static_cast<double>(neighbours.of(vertex).size());
        keyed.emplace_back(count > 0 ? sum / count : position[vertex], vertex);
    }
    std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::uint32_t i = 0; i < row.size(); ++i) {
        row[i] = keyed[i].second;
        position[row[i]] = i;
    }
}

/// Inversions of `ends`, counted with a Fenwick tree over positions of a row of `size`.
std::uint64_t inversions(const std::vector<std::uint32_t>& ends, std::size_t size, std::vector<std::uint32_t>& tree)
{
    tree.assign(size + 1, 0);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        std::uint64_t notAfter = 0;
        for (std::size_t t = std::size_t{ends[i]} + 1; t > 0; t &= t - 1)
            notAfter += tree[t];
        count += i - notAfter;
        for (std::size_t t = std::size_t{ends[i]} + 1; t <= size; t += t & (~t + 1))
            ++tree[t];
    }
    return count;
}

/// Pairs of edges between neighbouring rows that cross.
std::uint64_t crossings(const LayeredGraph& graph)
{
    const std::vector<std::uint32_t> position = positions(graph);
    std::vector<std::uint32_t> ends;
    std::vector<std::uint32_t> tree;
    std::uint64_t count = 0;
    for (std::size_t r = 0; r + 1 < graph.rows.size(); ++r) {
        ends.clear();
        for (const std::uint32_t vertex : graph.rows[r]) {
            const auto first = static_cast<std::ptrdiff_t>(ends.size());
            for (const std::uint32_t below : graph.below.of(vertex))
                ends.push_back(position[below]);
            std::sort(ends.begin() + first, ends.end());
        }
        count += inversions(ends, graph.rows[r + 1].size(), tree);
    }
    return count;
}

/// Depth-first start, then barycenter sweeps that keep the best order seen. O(sweeps * edges * log(vertices)), at most
/// 24 sweeps, no recursion.
void orderRowsInPlace(LayeredGraph& graph)
{
    walkInPlace(graph);
    auto best = graph.rows;
    std::uint64_t fewest = crossings(graph);
    std::vector<std::uint32_t> position = positions(graph);
    int withoutGain = 0;
    for (int sweep = 0; sweep < kMostSweeps && withoutGain < kPatience && fewest > 0; ++sweep) {
        if (sweep % 2 == 0) {
            for (std::size_t r = 1; r < graph.rows.size(); ++r)
                sortRowInPlace(graph.rows[r], graph.above, position);
        } else {
            for (std::size_t r = graph.rows.size() - 1; r-- > 0;)
                sortRowInPlace(graph.rows[r], graph.below, position);
        }
        const std::uint64_t count = crossings(graph);
        ++withoutGain;
        if (count < fewest) {
            fewest = count;
            best = graph.rows;
            withoutGain = 0;
        }
    }
    graph.rows = std::move(best);
}

constexpr int kPasses = 10;
constexpr double kGap = 20; // px between neighbours of a row

double medianOf(std::span<const std::uint32_t> neighbours, const std::vector<double>& center, std::vector<double>& xs)
{
    xs.clear();
    for (const std::uint32_t neighbour : neighbours)
        xs.push_back(center[neighbour]);
    const std::size_t middle = xs.size() / 2;
    std::nth_element(xs.begin(), xs.begin() + static_cast<std::ptrdiff_t>(middle), xs.end());
    if (xs.size() % 2 == 1)
        return xs[middle];
    return (xs[middle] + *std::max_element(xs.begin(), xs.begin() + static_cast<std::ptrdiff_t>(middle))) / 2;
}

/// A run of vertices that touch each other and move as one.
struct Pool {
    double weight = 0;
    double sum = 0; // of weighted wishes
    std::size_t count = 0;
    [[nodiscard]] double mean() const { return sum / weight; }
};

class RowSettler
{
public:
    explicit RowSettler(const LayeredGraph& graph)
        : m_graph(graph)
        , m_center(graph.rank.size(), 0)
    {
        for (const auto& row : graph.rows) {
            double left = 0;
            for (const std::uint32_t vertex : row) {
                m_center[vertex] = left + graph.width[vertex] / 2;
                left += graph.width[vertex] + kGap;
            }
        }
    }

    void settle(const std::vector<std::uint32_t>& row, const Adjacency& neighbours)
    {
        m_pools.clear();
        m_offsets.clear();
        double offset = 0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0)
                offset += (m_graph.width[row[i - 1]] + m_graph.width[row[i]]) / 2 + kGap;
            m_offsets.push_back(offset);
            pool(wish(row[i], neighbours) - offset, weight(row[i], neighbours));
        }
        std::size_t i = 0;
        for (const Pool& pool : m_pools) {
            for (std::size_t k = 0; k < pool.count; ++k, ++i)
                m_center[row[i]] = pool.mean() + m_offsets[i];
        }
    }

    [[nodiscard]] std::vector<double> takeCenters() { return std::move(m_center); }

private:
    double wish(std::uint32_t vertex, const Adjacency& neighbours)
    {
        return neighbours.of(vertex).empty() ? m_center[vertex] : medianOf(neighbours.of(vertex), m_center, m_xs);
    }

    /// Bends hold on to each other so that long edges run straight; vertices without a wish give way.
    [[nodiscard]] double weight(std::uint32_t vertex, const Adjacency& neighbours) const
    {
        if (neighbours.of(vertex).empty())
            return 0.1;
        return vertex >= m_graph.boxes && neighbours.of(vertex).front() >= m_graph.boxes ? 4 : 1;
    }

    void pool(double wish, double weight)
    {
        m_pools.push_back({weight, wish * weight, 1});
        while (m_pools.size() > 1 && m_pools[m_pools.size() - 2].mean() >= m_pools.back().mean()) {
            const Pool last = m_pools.back();
            m_pools.pop_back();
            m_pools.back().weight += last.weight;
            m_pools.back().sum += last.sum;
            m_pools.back().count += last.count;
        }
    }

    const LayeredGraph& m_graph;
    std::vector<double> m_center;
    std::vector<Pool> m_pools;
    std::vector<double> m_offsets;
    std::vector<double> m_xs;
};

/// Center x [vertices], px; order of rows kept, vertices apart by their widths and a gap. Each vertex is drawn towards
/// the median of its neighbours; rows are settled by isotonic regression (pool adjacent violators). O(passes * edges).
std::vector<double> findCenters(const LayeredGraph& graph)
{
    RowSettler settler(graph);
    for (int pass = 0; pass < kPasses; ++pass) {
        if (pass % 2 == 0) {
            for (std::size_t r = 1; r < graph.rows.size(); ++r)
                settler.settle(graph.rows[r], graph.above);
        } else {
            for (std::size_t r = graph.rows.size(); r-- > 1;)
                settler.settle(graph.rows[r - 1], graph.below);
        }
    }
    return settler.takeCenters();
}

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
