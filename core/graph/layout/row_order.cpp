// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/row_order.h"

#include <algorithm>
#include <utility>

namespace duo {
namespace {

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

} // namespace

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

} // namespace duo
