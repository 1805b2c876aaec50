// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/row_places.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace duo {
namespace {

constexpr int kPasses = 10;
constexpr double kSpineWeight = 1e9;

/// A run of vertices that touch each other and move as one.
struct Pool {
    double weight = 0;
    double sum = 0; // of weighted wishes
    std::size_t count = 0;
    [[nodiscard]] double mean() const { return sum / weight; }
};

double medianOf(std::span<const Link> neighbours, const std::vector<double>& x, std::vector<double>& wishes)
{
    wishes.clear();
    for (const Link& link : neighbours)
        wishes.push_back(x[link.end] + link.offset);
    const std::size_t middle = wishes.size() / 2;
    std::ranges::nth_element(wishes, wishes.begin() + static_cast<std::ptrdiff_t>(middle));
    if (wishes.size() % 2 == 1)
        return wishes[middle];
    const double below = *std::max_element(wishes.begin(), wishes.begin() + static_cast<std::ptrdiff_t>(middle));
    return (wishes[middle] + below) / 2;
}

class RowSettler
{
public:
    explicit RowSettler(const LayeredGraph& graph)
        : m_graph(graph)
        , m_x(graph.rank.size(), 0)
    {
        for (const auto& row : graph.rows) {
            double right = 0;
            for (std::size_t i = 0; i < row.size(); ++i) {
                m_x[row[i]] = i == 0 ? 0 : right + graph.gap(row[i - 1], row[i]) + graph.left[row[i]];
                right = m_x[row[i]] + graph.right[row[i]];
            }
            const std::uint32_t spine = row.empty() ? LayeredGraph::kNone : graph.spine[graph.rank[row.front()]];
            const double shift = spine == LayeredGraph::kNone ? right / 2 : m_x[spine];
            for (const std::uint32_t vertex : row)
                m_x[vertex] -= shift;
        }
    }

    void settle(std::size_t rank, const Adjacency& neighbours)
    {
        const std::vector<std::uint32_t>& row = m_graph.rows[rank];
        m_pools.clear();
        m_offsets.clear();
        double offset = 0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0)
                offset += m_graph.right[row[i - 1]] + m_graph.gap(row[i - 1], row[i]) + m_graph.left[row[i]];
            m_offsets.push_back(offset);
            const bool isSpine = row[i] == m_graph.spine[rank];
            pool(
                (isSpine ? 0 : wish(row[i], neighbours)) - offset, isSpine ? kSpineWeight : weight(row[i], neighbours));
        }
        std::size_t i = 0;
        for (const Pool& pool : m_pools) {
            for (std::size_t k = 0; k < pool.count; ++k, ++i)
                m_x[row[i]] = row[i] == m_graph.spine[rank] ? 0 : pool.mean() + m_offsets[i];
        }
    }

    [[nodiscard]] std::vector<double> takeAxes() { return std::move(m_x); }

private:
    double wish(std::uint32_t vertex, const Adjacency& neighbours)
    {
        return neighbours.of(vertex).empty() ? m_x[vertex] : medianOf(neighbours.of(vertex), m_x, m_wishes);
    }

    /// Bends hold on to each other so that long edges run straight; vertices without a wish give way.
    [[nodiscard]] double weight(std::uint32_t vertex, const Adjacency& neighbours) const
    {
        if (neighbours.of(vertex).empty())
            return 0.1;
        return m_graph.isBend(vertex) && m_graph.isBend(neighbours.of(vertex).front().end) ? 4 : 1;
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
    std::vector<double> m_x;
    std::vector<Pool> m_pools;
    std::vector<double> m_offsets;
    std::vector<double> m_wishes;
};

/// Puts chains on one vertical line where their neighbours leave room.
class Straightener
{
public:
    Straightener(const LayeredGraph& graph, std::vector<double>& x)
        : m_graph(graph)
        , m_x(x)
        , m_position(graph.rank.size())
    {
        for (const auto& row : graph.rows) {
            for (std::uint32_t i = 0; i < row.size(); ++i)
                m_position[row[i]] = i;
        }
    }

    /// Bends of one edge, together with what they end at where that has no other neighbour there.
    void straightenLanes()
    {
        for (std::size_t e = 0; e < m_graph.bends.size(); ++e) {
            if (m_graph.bends[e] == 0)
                continue;
            m_run.clear();
            for (std::uint32_t i = 0; i < m_graph.bends[e]; ++i) {
                m_run.push_back({m_graph.firstBend[e] + i, 0});
                if (i + 1 == m_graph.bends[e] || m_graph.below.of(m_run.back().vertex).empty()) { // of its column
                    straighten();
                    m_run.clear();
                }
            }
        }
    }

    void straightenChains()
    {
        std::vector<bool> isDone(m_graph.rank.size(), false);
        for (const auto& row : m_graph.rows) {
            for (const std::uint32_t start : row) {
                if (isDone[start])
                    continue;
                m_run.assign(1, {start, 0});
                for (std::uint32_t at = start; isDone[at] = true, hasOneFollower(at);) {
                    const Link link = m_graph.below.of(at).front();
                    if (isDone[link.end])
                        break;
                    m_run.push_back({link.end, m_run.back().offset - link.offset});
                    at = link.end;
                }
                if (m_run.size() > 1)
                    straighten();
            }
        }
    }

private:
    struct Member {
        std::uint32_t vertex;
        double offset; // px right of the first one's axis
    };

    [[nodiscard]] bool hasOneFollower(std::uint32_t vertex) const
    {
        const auto below = m_graph.below.of(vertex);
        return below.size() == 1 && m_graph.above.of(below.front().end).size() == 1;
    }

    [[nodiscard]] double least(std::uint32_t vertex) const
    {
        const auto& row = m_graph.rows[m_graph.rank[vertex]];
        const std::uint32_t at = m_position[vertex];
        if (at == 0)
            return -std::numeric_limits<double>::infinity();
        return m_x[row[at - 1]] + m_graph.right[row[at - 1]] + m_graph.gap(row[at - 1], vertex) + m_graph.left[vertex];
    }

    [[nodiscard]] double most(std::uint32_t vertex) const
    {
        const auto& row = m_graph.rows[m_graph.rank[vertex]];
        const std::uint32_t at = m_position[vertex];
        if (at + 1 == row.size())
            return std::numeric_limits<double>::infinity();
        return m_x[row[at + 1]] - m_graph.left[row[at + 1]] - m_graph.gap(vertex, row[at + 1]) - m_graph.right[vertex];
    }

    void straighten()
    {
        double low = -std::numeric_limits<double>::infinity();
        double high = std::numeric_limits<double>::infinity();
        m_places.clear();
        for (const Member& member : m_run) {
            if (m_graph.spine[m_graph.rank[member.vertex]] == member.vertex) {
                low = std::max(low, -member.offset);
                high = std::min(high, -member.offset);
            }
            low = std::max(low, least(member.vertex) - member.offset);
            high = std::min(high, most(member.vertex) - member.offset);
            m_places.push_back(m_x[member.vertex] - member.offset);
        }
        addEnds();
        if (low > high)
            return;
        const auto middle = m_places.begin() + static_cast<std::ptrdiff_t>(m_places.size() / 2);
        std::ranges::nth_element(m_places, middle);
        const double place = std::clamp(*middle, low, high);
        for (const Member& member : m_run)
            m_x[member.vertex] = place + member.offset;
    }

    /// Where the run would stand right below and above what it ends at.
    void addEnds()
    {
        for (const Link& link : m_graph.above.of(m_run.front().vertex))
            m_places.push_back(m_x[link.end] + link.offset);
        for (const Link& link : m_graph.below.of(m_run.back().vertex))
            m_places.push_back(m_x[link.end] + link.offset - m_run.back().offset);
    }

    const LayeredGraph& m_graph;
    std::vector<double>& m_x;
    std::vector<std::uint32_t> m_position; // [vertices] in its row
    std::vector<Member> m_run;
    std::vector<double> m_places;
};

} // namespace

std::vector<double> placeAxes(const LayeredGraph& graph)
{
    RowSettler settler(graph);
    for (int pass = 0; pass < kPasses; ++pass) {
        if (pass % 2 == 0) {
            for (std::size_t r = 1; r < graph.rows.size(); ++r)
                settler.settle(r, graph.above);
        } else {
            for (std::size_t r = graph.rows.size(); r-- > 1;)
                settler.settle(r - 1, graph.below);
        }
    }
    std::vector<double> x = settler.takeAxes();
    Straightener straightener(graph, x);
    for (int round = 0; round < 3; ++round) {
        straightener.straightenLanes();
        straightener.straightenChains();
    }
    return x;
}

void straightenBlocksInPlace(
    const LayeredGraph& graph, const std::vector<std::uint32_t>& ofRank, std::vector<double>& x)
{
    struct Span {
        double left = std::numeric_limits<double>::infinity();
        double right = -std::numeric_limits<double>::infinity();
    };
    const auto cover = [&](Span& span, std::size_t rank) {
        for (const std::uint32_t vertex : graph.rows[rank]) {
            span.left = std::min(span.left, x[vertex] - graph.left[vertex]);
            span.right = std::max(span.right, x[vertex] + graph.right[vertex]);
        }
    };
    const auto hangingBy = [&](std::size_t rank) { // the vertex that alone has a line to the row above, and one only
        std::uint32_t found = LayeredGraph::kNone;
        std::size_t links = 0;
        for (const std::uint32_t vertex : graph.rows[rank]) {
            links += graph.above.of(vertex).size();
            found = graph.above.of(vertex).empty() ? found : vertex;
        }
        return links == 1 ? found : LayeredGraph::kNone;
    };
    std::size_t next = 0;
    for (std::size_t first = 0; first < graph.rows.size(); first = next) {
        Span column;
        for (next = first; next < graph.rows.size() && ofRank[next] == ofRank[first]; ++next)
            cover(column, next);
        for (std::size_t r = first + 1; r < next;) {
            const std::uint32_t vertex = hangingBy(r);
            Span block;
            std::size_t end = r;
            do
                cover(block, end++);
            while (end < next && hangingBy(end) == LayeredGraph::kNone);
            if (vertex != LayeredGraph::kNone) {
                const Link& link = graph.above.of(vertex).front();
                const double wanted = x[link.end] + link.offset - x[vertex];
                const double shift = std::clamp(
                    wanted, std::min(column.left - block.left, 0.0), std::max(column.right - block.right, 0.0));
                for (std::size_t row = r; row < end; ++row) {
                    for (const std::uint32_t moved : graph.rows[row])
                        x[moved] += shift;
                }
            }
            r = end;
        }
    }
}

} // namespace duo
