// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/layered_graph.h"

#include <algorithm>

namespace duo {
namespace {

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

} // namespace

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

} // namespace duo
