// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/coordinates.h"

#include <algorithm>

namespace duo {
namespace {

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

} // namespace

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

} // namespace duo
