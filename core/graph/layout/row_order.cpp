// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/row_order.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <utility>

namespace duo {
namespace {

constexpr int kMostSweeps = 24;
constexpr int kPatience = 4; // sweeps without gain
constexpr std::size_t kMostExchanged = 6000; // vertices
constexpr int kMostRounds = 8; // of exchanges after a sweep
constexpr std::size_t kMostShuffled = 400; // vertices of a graph that is ordered from more starts, beside advice
constexpr std::uint32_t kStarts = 24;
constexpr std::size_t kMostCompared = 4096; // pairs of edges of two neighbours

using Rows = std::vector<std::vector<std::uint32_t>>;

/// Fills the rows in the order in which a walk over neighbours, downwards first, meets the vertices.
Rows walked(const LayeredGraph& graph)
{
    Rows rows(graph.rows.size());
    std::vector<bool> seen(graph.rank.size(), false);
    std::vector<std::uint32_t> stack;
    for (const auto& row : graph.rows) {
        for (const std::uint32_t start : row) {
            stack.push_back(start);
            while (!stack.empty()) {
                const std::uint32_t vertex = stack.back();
                stack.pop_back();
                if (seen[vertex])
                    continue;
                seen[vertex] = true;
                rows[graph.rank[vertex]].push_back(vertex);
                const auto above = graph.above.of(vertex);
                const auto below = graph.below.of(vertex);
                for (auto link = above.rbegin(); link != above.rend(); ++link)
                    stack.push_back(link->end);
                for (auto link = below.rbegin(); link != below.rend(); ++link)
                    stack.push_back(link->end);
            }
        }
    }
    return rows;
}

/// The rows in an order by chance, the same each time.
Rows shuffled(const LayeredGraph& graph, std::uint32_t seed)
{
    std::mt19937 chance(seed); // its numbers are the same everywhere; those of distributions are not
    Rows rows = graph.rows;
    for (auto& row : rows) {
        for (std::size_t i = row.size(); i > 1; --i)
            std::swap(row[i - 1], row[chance() % i]);
    }
    return rows;
}

/// x of a line at a height; of its end that is nearer where it does not reach it.
double crossingX(const std::vector<Point>& line, double y)
{
    for (std::size_t i = 1; i < line.size(); ++i) {
        const Point a = line[i - 1];
        const Point b = line[i];
        if (std::min(a.y, b.y) <= y && y <= std::max(a.y, b.y) && a.y != b.y)
            return a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
    }
    return std::abs(line.front().y - y) < std::abs(line.back().y - y) ? line.front().x : line.back().x;
}

/// The rows sorted by where another engine put boxes and lines.
Rows advised(const LayeredGraph& graph, const LayoutResult& advice)
{
    std::vector<double> y(graph.rows.size(), 0);
    for (std::size_t r = 0; r < graph.rows.size(); ++r) {
        double boxes = 0;
        for (const std::uint32_t vertex : graph.rows[r]) {
            if (graph.isBend(vertex))
                continue;
            y[r] += advice.centers[vertex].y;
            ++boxes;
        }
        y[r] /= std::max(boxes, 1.0);
    }
    std::vector<double> x(graph.rank.size(), 0);
    for (std::size_t b = 0; b < graph.boxes; ++b)
        x[b] = advice.centers[b].x;
    for (std::size_t e = 0; e < graph.bends.size(); ++e) {
        for (std::uint32_t bend = graph.firstBend[e]; bend < graph.firstBend[e] + graph.bends[e]; ++bend)
            x[bend] = crossingX(advice.lines[e], y[graph.rank[bend]]);
    }
    Rows rows = graph.rows;
    for (auto& row : rows)
        std::ranges::stable_sort(row, {}, [&](std::uint32_t vertex) { return x[vertex]; });
    return rows;
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

std::vector<std::uint32_t> positionsIn(const LayeredGraph& graph, const Rows& rows)
{
    std::vector<std::uint32_t> position(graph.rank.size());
    for (const auto& row : rows) {
        for (std::uint32_t i = 0; i < row.size(); ++i)
            position[row[i]] = i;
    }
    return position;
}

/// Lines of one vertex that cross because they meet it in another order than that of their other ends. Those of two
/// vertices are counted at the upper one.
std::uint64_t crossingsAt(std::span<const Link> links, const std::vector<std::uint32_t>& position, bool isUpper)
{
    if (links.size() < 2 || links.size() * links.size() > kMostCompared)
        return 0;
    const auto isBehind = [&](const Link& a, const Link& b) {
        return a.end == b.end ? isUpper && a.meets > b.meets : position[a.end] > position[b.end];
    };
    std::uint64_t count = 0;
    for (const Link& a : links) {
        for (const Link& b : links)
            count += a.leaves < b.leaves && isBehind(a, b) ? 1 : 0; // false where a line may meet the vertex anywhere
    }
    return count;
}

std::uint64_t crossingsOf(const LayeredGraph& graph, const Rows& rows)
{
    const std::vector<std::uint32_t> position = positionsIn(graph, rows);
    std::vector<std::uint32_t> ends;
    std::vector<std::uint32_t> tree;
    std::uint64_t count = 0;
    for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
        ends.clear();
        for (const std::uint32_t vertex : rows[r]) {
            const auto first = static_cast<std::ptrdiff_t>(ends.size());
            for (const Link& below : graph.below.of(vertex))
                ends.push_back(position[below.end]);
            std::sort(ends.begin() + first, ends.end());
            count += crossingsAt(graph.below.of(vertex), position, true)
                + crossingsAt(graph.above.of(vertex), position, false);
        }
        count += inversions(ends, rows[r + 1].size(), tree);
    }
    return count;
}

/// How many pairs of one row stand as wanted, minus those that do not.
std::int64_t standAsWanted(const LayeredGraph& graph, const Rows& rows)
{
    const std::vector<std::uint32_t> position = positionsIn(graph, rows);
    std::int64_t wanted = 0;
    for (std::size_t p = 0; p + 1 < graph.leftFirst.size(); p += 2) {
        const std::uint32_t left = graph.leftFirst[p];
        const std::uint32_t right = graph.leftFirst[p + 1];
        if (graph.rank[left] == graph.rank[right])
            wanted += position[left] < position[right] ? 1 : -1;
    }
    return wanted;
}

/// As in a mirror, where pairs stand as wanted then and no more edges cross.
void mirrorInPlace(const LayeredGraph& graph, Rows& rows)
{
    if (graph.leftFirst.empty() || standAsWanted(graph, rows) >= 0)
        return;
    Rows mirrored = rows;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        if (!graph.isFixed[r])
            std::ranges::reverse(mirrored[r]);
    }
    if (crossingsOf(graph, mirrored) <= crossingsOf(graph, rows))
        rows = std::move(mirrored);
}

class Orderer
{
public:
    explicit Orderer(const LayeredGraph& graph)
        : m_graph(graph)
        , m_best(graph.rows)
    {
        m_fewest = crossingsOf(graph, graph.rows);
    }

    void improve(Rows rows)
    {
        m_rows = std::move(rows);
        for (std::size_t r = 0; r < m_rows.size(); ++r) {
            if (m_graph.isFixed[r])
                m_rows[r] = m_graph.rows[r];
        }
        keepIfBetter();
        int withoutGain = 0;
        for (int sweep = 0; sweep < kMostSweeps && withoutGain < kPatience && m_fewest > 0; ++sweep) {
            m_position = positionsIn(m_graph, m_rows);
            if (sweep % 2 == 0) {
                for (std::size_t r = 1; r < m_rows.size(); ++r)
                    sortRow(r, m_graph.above);
            } else {
                for (std::size_t r = m_rows.size() - 1; r-- > 0;)
                    sortRow(r, m_graph.below);
            }
            exchange();
            withoutGain = keepIfBetter() ? 0 : withoutGain + 1;
        }
    }

    [[nodiscard]] bool isDone() const { return m_fewest == 0; }
    [[nodiscard]] Rows takeBest() { return std::move(m_best); }

private:
    bool keepIfBetter()
    {
        const std::uint64_t crossed = crossingsOf(m_graph, m_rows);
        if (crossed >= m_fewest)
            return false;
        m_fewest = crossed;
        m_best = m_rows;
        return true;
    }

    /// Sorts one row by the mean position of the neighbours in the row before; who has none stays where it is.
    void sortRow(std::size_t r, const Adjacency& neighbours)
    {
        std::vector<std::uint32_t>& row = m_rows[r];
        if (m_graph.isFixed[r])
            return;
        std::vector<std::pair<double, std::uint32_t>> keyed;
        keyed.reserve(row.size());
        for (const std::uint32_t vertex : row) {
            double sum = 0;
            for (const Link& link : neighbours.of(vertex))
                sum += m_position[link.end] + besideMiddle(link);
            const auto count = static_cast<double>(neighbours.of(vertex).size());
            keyed.emplace_back(count > 0 ? sum / count : m_position[vertex], vertex);
        }
        std::ranges::stable_sort(keyed, {}, &std::pair<double, std::uint32_t>::first);
        for (std::uint32_t i = 0; i < row.size(); ++i) {
            row[i] = keyed[i].second;
            m_position[row[i]] = i;
        }
    }

    /// Where a line meets a box, as a part of what lies between it and the next position.
    [[nodiscard]] double besideMiddle(const Link& link) const
    {
        const double width = m_graph.left[link.end] + m_graph.right[link.end];
        return !std::isnan(link.meets) && width > 0 ? 0.8 * link.meets / width : 0;
    }

    /// Crossings of the edges of two neighbours in one direction, minus those once they are exchanged.
    [[nodiscard]] std::int64_t gain(std::uint32_t left, std::uint32_t right, const Adjacency& neighbours) const
    {
        const auto a = neighbours.of(left);
        const auto b = neighbours.of(right);
        if (a.size() * b.size() > kMostCompared)
            return 0;
        std::int64_t gain = 0;
        for (const Link& mine : a) {
            for (const Link& other : b) {
                const std::uint32_t i = m_position[mine.end];
                const std::uint32_t j = m_position[other.end];
                gain += i > j ? 1 : i < j ? -1 : 0;
                if (i == j) // false where either line may meet the vertex anywhere
                    gain += mine.meets > other.meets ? 1 : mine.meets < other.meets ? -1 : 0;
            }
        }
        return gain;
    }

    /// Exchanges neighbours of a row as long as that saves crossings.
    void exchange()
    {
        if (m_graph.rank.size() > kMostExchanged)
            return;
        m_position = positionsIn(m_graph, m_rows);
        bool hasGained = true;
        for (int round = 0; round < kMostRounds && hasGained; ++round) {
            hasGained = false;
            for (std::size_t r = 0; r < m_rows.size(); ++r) {
                std::vector<std::uint32_t>& row = m_rows[r];
                for (std::size_t i = 0; i + 1 < row.size() && !m_graph.isFixed[r]; ++i) {
                    if (gain(row[i], row[i + 1], m_graph.above) + gain(row[i], row[i + 1], m_graph.below) <= 0)
                        continue;
                    std::swap(row[i], row[i + 1]);
                    m_position[row[i]] = static_cast<std::uint32_t>(i);
                    m_position[row[i + 1]] = static_cast<std::uint32_t>(i + 1);
                    hasGained = true;
                }
            }
        }
    }

    const LayeredGraph& m_graph;
    std::vector<std::uint32_t> m_position; // [vertices] in its row
    Rows m_rows;
    Rows m_best;
    std::uint64_t m_fewest = 0;
};

} // namespace

std::uint64_t crossings(const LayeredGraph& graph)
{
    return crossingsOf(graph, graph.rows);
}

void orderRowsInPlace(LayeredGraph& graph, const LayoutResult* advice)
{
    Orderer orderer(graph);
    if (advice)
        orderer.improve(advised(graph, *advice));
    orderer.improve(graph.rows);
    orderer.improve(walked(graph));
    if (advice && graph.rank.size() <= kMostShuffled) {
        for (std::uint32_t start = 0; start < kStarts && !orderer.isDone(); ++start)
            orderer.improve(shuffled(graph, start));
    }
    graph.rows = orderer.takeBest();
    mirrorInPlace(graph, graph.rows);
}

} // namespace duo
