// SPDX-License-Identifier: Apache-2.0
#include "core/graph/main_paths.h"

#include "core/graph/layout/ranks.h"
#include "core/graph/shape_groups.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <ranges>
#include <utility>

namespace duo {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

/// Rows of all boxes as if none were open.
std::vector<std::uint32_t> flatRanks(const ViewGraph& view)
{
    LayoutInput input;
    input.boxes.resize(view.boxes.size());
    for (const ViewEdge& edge : view.edges)
        input.edges.push_back({edge.from, edge.to, {}, {}});
    return findRanks(input);
}

/// What a path leads through, or a box holds: parameters first, then nodes.
struct Weight {
    double parameters = 0; // elements
    double nodes = 0;

    auto operator<=>(const Weight&) const = default;
    Weight operator+(const Weight& other) const { return {parameters + other.parameters, nodes + other.nodes}; }
};

constexpr Weight kNoPath{-HUGE_VAL, 0};
constexpr double kDetour = -1e9; // nodes: of paths through as many parameters none leads through a shape but alone

/// Data ends there: what follows is of its shape only.
bool measuresShape(const ViewBox& box)
{
    const bool isNode = box.kind == ViewBox::Kind::Node && (box.title == "Shape" || box.title == "Size");
    return isNode || isShapeGroup(box.key);
}

/// Levels in an order in which those inside one follow it.
struct Nesting {
    std::vector<std::uint32_t> first; // [levels] place of the level in that order
    std::vector<std::uint32_t> last; // [levels] behind those inside it

    explicit Nesting(const ViewLevels& cut)
        : first(cut.levels.size(), 0)
        , last(cut.levels.size(), 1)
    {
        std::vector<std::uint32_t> around(cut.levels.size(), 0);
        for (std::size_t l = 1; l < around.size(); ++l)
            around[l] = cut.levelOf[static_cast<std::size_t>(cut.levels[l].box)];
        for (std::size_t l = around.size(); l-- > 1;)
            last[around[l]] += last[l]; // how many levels, for now
        std::vector<std::uint32_t> next(around.size(), 1);
        for (std::size_t l = 1; l < around.size(); ++l) {
            first[l] = next[around[l]];
            next[around[l]] += last[l];
            next[l] = first[l] + 1;
        }
        for (std::size_t l = 0; l < around.size(); ++l)
            last[l] += first[l];
    }
};

class PathFinder
{
public:
    PathFinder(const ViewGraph& view, const ViewLevels& cut)
        : m_view(view)
        , m_cut(cut)
        , m_nesting(cut)
        , m_rank(flatRanks(view))
        , m_leadBy(cut.levels.size(), kNone)
        , m_length(view.boxes.size())
        , m_arriving(view.boxes.size())
    {
        for (const ViewBox& box : view.boxes)
            m_weight.push_back({box.parameters,
                measuresShape(box) ? kDetour : static_cast<double>(std::max(box.total, std::int64_t{1}))});
        std::vector<std::vector<std::uint32_t>> rows;
        for (const ViewLevel& level : cut.levels)
            rows.push_back(rowsOf(view, level));
        const auto leadsDown = [&](const EdgeStep& step) {
            const ViewLevel::Edge& edge = cut.levels[step.level].edges[step.edge];
            return rows[step.level][edge.from] < rows[step.level][edge.to];
        };
        for (std::uint32_t e = 0; e < view.edges.size(); ++e) {
            if (m_rank[view.edges[e].from] < m_rank[view.edges[e].to] && std::ranges::all_of(cut.steps[e], leadsDown))
                m_bySource.push_back(e);
        }
        m_byReader = m_bySource;
        std::ranges::stable_sort(m_bySource, {}, [&](std::uint32_t e) { return place(view.edges[e].from); });
        std::ranges::stable_sort(m_byReader, {}, [&](std::uint32_t e) { return place(view.edges[e].to); });
    }

    /// From where values enter a level to where they leave it, or else the longest one.
    std::vector<std::uint32_t> path(std::uint32_t level)
    {
        const std::vector<std::uint32_t> edges = edgesIn(level);
        std::vector<std::uint32_t> found = longest(level, edges, true);
        return found.empty() ? longest(level, edges, false) : found;
    }

    /// Where a path leads in a level and in those inside it that no other has led through.
    void follow(const std::vector<std::uint32_t>& path, std::uint32_t level, MainPaths& paths)
    {
        for (const std::uint32_t edge : path) {
            for (const EdgeStep& step : m_cut.steps[edge]) {
                if (!isWithin(step.level, level))
                    continue;
                if (paths.inside[step.level].empty())
                    m_leadBy[step.level] = level;
                if (m_leadBy[step.level] == level)
                    paths.inside[step.level].push_back(step.edge);
            }
        }
    }

private:
    [[nodiscard]] std::uint32_t place(std::uint32_t box) const { return m_nesting.first[m_cut.levelOf[box]]; }

    [[nodiscard]] bool isWithin(std::uint32_t inner, std::uint32_t level) const
    {
        return m_nesting.first[level] <= m_nesting.first[inner] && m_nesting.first[inner] < m_nesting.last[level];
    }

    [[nodiscard]] bool isInside(std::uint32_t box, std::uint32_t level) const
    {
        return isWithin(m_cut.levelOf[box], level);
    }

    /// Edges of which an end is inside, by the rows of their sources.
    [[nodiscard]] std::vector<std::uint32_t> edgesIn(std::uint32_t level) const
    {
        std::vector<std::uint32_t> edges;
        const auto within = [&](const std::vector<std::uint32_t>& sorted, auto end) {
            const auto at = [&](std::uint32_t e) { return place(end(m_view.edges[e])); };
            const auto first = std::ranges::lower_bound(sorted, m_nesting.first[level], {}, at);
            return std::ranges::subrange(first, std::ranges::lower_bound(sorted, m_nesting.last[level], {}, at));
        };
        for (const std::uint32_t e : within(m_bySource, [](const ViewEdge& edge) { return edge.from; }))
            edges.push_back(e);
        for (const std::uint32_t e : within(m_byReader, [](const ViewEdge& edge) { return edge.to; })) {
            if (!isInside(m_view.edges[e].from, level))
                edges.push_back(e);
        }
        std::ranges::sort(edges, {}, [&](std::uint32_t e) { return std::pair(m_rank[m_view.edges[e].from], e); });
        return edges;
    }

    /// @param leadsThrough only what comes from outside, or from an input, and leads outside, or to an output
    std::vector<std::uint32_t> longest(std::uint32_t level, const std::vector<std::uint32_t>& edges, bool leadsThrough)
    {
        for (const std::uint32_t e : edges) {
            for (const std::uint32_t box : {m_view.edges[e].from, m_view.edges[e].to}) {
                const bool isStart = !leadsThrough || m_view.boxes[box].kind == ViewBox::Kind::Input;
                m_length[box] = !isInside(box, level) ? Weight{} : isStart ? m_weight[box] : kNoPath;
                m_arriving[box] = kNone;
            }
        }
        Weight most = kNoPath;
        std::uint32_t end = kNone;
        for (const std::uint32_t e : edges) {
            const auto& [from, to] = std::pair(m_view.edges[e].from, m_view.edges[e].to);
            if (m_length[from] == kNoPath)
                continue;
            const bool isLeft = !isInside(to, level);
            const Weight through = m_length[from] + (isLeft ? Weight{} : m_weight[to]);
            const bool isEnd = isLeft || !leadsThrough || m_view.boxes[to].kind == ViewBox::Kind::Output;
            if (isEnd && through > most) {
                most = through;
                end = e;
            }
            if (!isLeft && through > m_length[to]) {
                m_length[to] = through;
                m_arriving[to] = e;
            }
        }
        std::vector<std::uint32_t> path;
        for (std::uint32_t e = end; e != kNone;
             e = isInside(m_view.edges[e].from, level) ? m_arriving[m_view.edges[e].from] : kNone)
            path.push_back(e);
        std::ranges::reverse(path);
        return path;
    }

    const ViewGraph& m_view;
    const ViewLevels& m_cut;
    Nesting m_nesting;
    std::vector<std::uint32_t> m_rank; // [boxes]
    std::vector<std::uint32_t> m_leadBy; // [levels] the level of which the path leads through
    std::vector<Weight> m_weight; // [boxes] what they hold
    std::vector<std::uint32_t> m_bySource; // edges that lead downwards, by the place of the level of their source
    std::vector<std::uint32_t> m_byReader;
    std::vector<Weight> m_length; // [boxes] of the longest path that ends there
    std::vector<std::uint32_t> m_arriving; // [boxes] its last edge
};

} // namespace

MainPaths findMainPaths(const ViewGraph& view, const ViewLevels& cut)
{
    PathFinder finder(view, cut);
    MainPaths paths;
    paths.inside.resize(cut.levels.size());
    for (std::uint32_t level = 0; level < cut.levels.size(); ++level) {
        if (!paths.inside[level].empty())
            continue;
        const std::vector<std::uint32_t> path = finder.path(level);
        finder.follow(path, level, paths);
        if (level == 0)
            paths.whole = path;
    }
    return paths;
}

} // namespace duo
