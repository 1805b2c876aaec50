// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/layered_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace duo {
namespace {

constexpr double kBendReach = 2; // px to either side
constexpr std::size_t kMostBentEnds = 512; // edges at one box that still get bends
constexpr std::size_t kMostBends = 20000; // with bends for all edges
constexpr std::uint32_t kLongestBent = 24; // rows crossed by an edge that gets bends beyond that

constexpr std::uint32_t kNone = LayeredGraph::kNone;

struct Step {
    std::uint32_t upper;
    std::uint32_t lower;
    double offset; // px the axis of the lower end stands right of the upper one's, for a straight line
    double upperAt = Link::kAnywhere; // where it has to meet the upper end
    double lowerAt = Link::kAnywhere;
};

Adjacency adjacency(std::size_t vertices, const std::vector<Step>& steps, bool downwards)
{
    Adjacency result{std::vector<std::uint32_t>(vertices + 1, 0), std::vector<Link>(steps.size())};
    for (const Step& step : steps)
        ++result.begin[(downwards ? step.upper : step.lower) + 1];
    std::partial_sum(result.begin.begin(), result.begin.end(), result.begin.begin());
    std::vector<std::uint32_t> next(result.begin.begin(), result.begin.end() - 1);
    for (const Step& step : steps) {
        if (downwards)
            result.links[next[step.upper]++] = {step.lower, -step.offset, step.upperAt, step.lowerAt};
        else
            result.links[next[step.lower]++] = {step.upper, step.offset, step.lowerAt, step.upperAt};
    }
    return result;
}

class Maker
{
public:
    Maker(const LayoutInput& input, const std::vector<std::uint32_t>& beside, std::vector<std::uint32_t> rank)
        : m_input(input)
        , m_beside(beside)
    {
        m_graph.boxes = input.boxes.size();
        m_graph.rank = std::move(rank);
    }

    LayeredGraph make()
    {
        findSpine();
        measureBoxes();
        addBends();
        const std::size_t vertices = m_graph.rank.size();
        m_graph.above = adjacency(vertices, m_steps, false);
        m_graph.below = adjacency(vertices, m_steps, true);
        m_graph.rows.resize(rowCount());
        for (std::uint32_t v = 0; v < vertices; ++v) {
            if (m_graph.isBend(v) || m_beside[v] == kNone)
                m_graph.rows[m_graph.rank[v]].push_back(v);
        }
        m_graph.isFixed.assign(m_graph.rows.size(), false);
        for (std::size_t r = 0; r < m_graph.rows.size() && m_input.keepsPinOrder; ++r)
            m_graph.isFixed[r] = std::ranges::all_of(m_graph.rows[r], [this](std::uint32_t v) { return isPinned(v); });
        markSpine();
        return std::move(m_graph);
    }

private:
    [[nodiscard]] std::size_t rowCount() const
    {
        return m_graph.rank.empty() ? 0 : std::size_t{*std::ranges::max_element(m_graph.rank)} + 1;
    }

    [[nodiscard]] bool isPinned(std::uint32_t vertex) const
    {
        return !m_graph.isBend(vertex) && (m_input.pin(vertex) == Pin::Top || m_input.pin(vertex) == Pin::Bottom);
    }

    [[nodiscard]] bool isBesideEdge(const LayoutInput::Edge& edge) const { return m_beside[edge.from] != kNone; }

    /// Upper and lower end of an edge, whichever way it leads.
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> ends(const LayoutInput::Edge& edge) const
    {
        return m_graph.rank[edge.from] <= m_graph.rank[edge.to] ? std::pair(edge.from, edge.to)
                                                                : std::pair(edge.to, edge.from);
    }

    void findSpine()
    {
        m_spineEdge.assign(m_input.boxes.size(), kNone);
        for (const std::uint32_t e : m_input.spine) {
            if (!followSpine(e))
                break;
        }
        if (m_spineBoxes.empty())
            findLongest();
    }

    /// Whether a given edge of the spine leads on from it, downwards.
    bool followSpine(std::uint32_t e)
    {
        const LayoutInput::Edge& edge = m_input.edges[e];
        if (m_spineBoxes.empty() && isBesideEdge(edge))
            return true; // it begins with the reader
        if (isBesideEdge(edge) || m_graph.rank[edge.from] >= m_graph.rank[edge.to])
            return false;
        if (m_spineBoxes.empty())
            m_spineBoxes.push_back(edge.from);
        if (m_spineBoxes.back() != edge.from)
            return false;
        m_spineBoxes.push_back(edge.to);
        m_spineEdge[edge.to] = e;
        return true;
    }

    /// The path that is longest by the heights of its boxes; among equals the one of the lowest edges.
    void findLongest()
    {
        const std::size_t boxes = m_input.boxes.size();
        std::vector<std::uint32_t> byRank(m_input.edges.size());
        std::iota(byRank.begin(), byRank.end(), 0U);
        std::ranges::stable_sort(
            byRank, {}, [&](std::uint32_t e) { return m_graph.rank[ends(m_input.edges[e]).first]; });
        std::vector<double> length(boxes);
        for (std::size_t b = 0; b < boxes; ++b)
            length[b] = m_input.boxes[b].height + kRowGap;
        std::vector<std::uint32_t> arriving(boxes, kNone);
        for (const std::uint32_t e : byRank) {
            const auto [upper, lower] = ends(m_input.edges[e]);
            if (m_graph.rank[upper] == m_graph.rank[lower] || isBesideEdge(m_input.edges[e]))
                continue;
            const double through = length[upper] + m_input.boxes[lower].height + kRowGap;
            if (through > length[lower]) {
                length[lower] = through;
                arriving[lower] = e;
            }
        }
        const auto longest = std::ranges::max_element(length);
        if (longest == length.end() || m_input.edges.empty())
            return;
        for (auto box = static_cast<std::uint32_t>(longest - length.begin()); box != kNone;) {
            m_spineBoxes.push_back(box);
            m_spineEdge[box] = arriving[box];
            box = arriving[box] == kNone ? kNone : ends(m_input.edges[arriving[box]]).first;
        }
    }

    /// The axis is where the edge of the spine, else the first edge with a place of its own, meets the box.
    void measureBoxes()
    {
        m_graph.axis.assign(m_graph.boxes, 0);
        std::vector<bool> isSettled(m_graph.boxes, false);
        const auto settle = [&](std::uint32_t box, const std::optional<double>& at) {
            if (!at || isSettled[box])
                return;
            isSettled[box] = true;
            m_graph.axis[box] = *at;
        };
        for (const std::uint32_t box : m_spineBoxes) {
            if (m_spineEdge[box] != kNone)
                settle(box, m_input.edges[m_spineEdge[box]].enters);
        }
        for (const std::uint32_t box : m_spineBoxes) {
            if (m_spineEdge[box] != kNone)
                settle(m_input.edges[m_spineEdge[box]].from, m_input.edges[m_spineEdge[box]].leaves);
        }
        for (const auto& edge : m_input.edges)
            settle(edge.to, edge.enters);
        for (const auto& edge : m_input.edges)
            settle(edge.from, edge.leaves);
        for (std::size_t b = 0; b < m_graph.boxes; ++b) {
            m_graph.left.push_back(m_input.boxes[b].width / 2 + m_graph.axis[b]);
            m_graph.right.push_back(m_input.boxes[b].width / 2 - m_graph.axis[b]);
            m_graph.height.push_back(m_input.boxes[b].height);
        }
        addReach();
    }

    void addReach()
    {
        std::vector<double> stackWidth(m_graph.boxes, 0);
        std::vector<double> stackHeight(m_graph.boxes, -kBesideSpacing);
        for (std::size_t b = 0; b < m_graph.boxes; ++b) {
            if (m_beside[b] == kNone)
                continue;
            stackWidth[m_beside[b]] = std::max(stackWidth[m_beside[b]], m_input.boxes[b].width);
            stackHeight[m_beside[b]] += m_input.boxes[b].height + kBesideSpacing;
        }
        for (std::size_t b = 0; b < m_graph.boxes; ++b) {
            if (stackWidth[b] > 0)
                m_graph.left[b] += stackWidth[b] + kBesideGap;
            m_graph.height[b] = std::max(m_graph.height[b], stackHeight[b]);
        }
        std::vector<bool> hasLoop(m_graph.boxes, false);
        for (const auto& edge : m_input.edges) {
            if (edge.from == edge.to && !hasLoop[edge.from]) {
                hasLoop[edge.from] = true;
                m_graph.right[edge.from] += kLoopReach;
            }
        }
    }

    void addBends()
    {
        const std::uint32_t longest = longestBent();
        const std::vector<std::size_t> ends = edgesPerBox();
        m_graph.firstBend.assign(m_input.edges.size(), 0);
        m_graph.bends.assign(m_input.edges.size(), 0);
        for (std::size_t e = 0; e < m_input.edges.size(); ++e) {
            if (isBesideEdge(m_input.edges[e]))
                continue;
            const auto [upper, lower] = this->ends(m_input.edges[e]);
            const std::uint32_t distance = m_graph.rank[lower] - m_graph.rank[upper];
            const bool isFan = std::max(ends[upper], ends[lower]) > kMostBentEnds;
            if (distance == 0 || (distance > 1 && (distance - 1 > longest || isFan)))
                continue;
            addChain(e, upper, lower, distance);
        }
    }

    void addChain(std::size_t e, std::uint32_t upper, std::uint32_t lower, std::uint32_t distance)
    {
        const LayoutInput::Edge& edge = m_input.edges[e];
        const auto place
            = [&](std::uint32_t box, const std::optional<double>& at) { return at ? *at - m_graph.axis[box] : 0.0; };
        const auto& upperAt = upper == edge.from ? edge.leaves : edge.enters;
        const auto& lowerAt = lower == edge.to ? edge.enters : edge.leaves;
        m_graph.firstBend[e] = static_cast<std::uint32_t>(m_graph.rank.size());
        m_graph.bends[e] = distance - 1;
        std::uint32_t previous = upper;
        double offset = place(upper, upperAt);
        double leaves = upperAt.value_or(Link::kAnywhere);
        for (std::uint32_t i = 1; i < distance; ++i) {
            const auto bend = static_cast<std::uint32_t>(m_graph.rank.size());
            m_graph.rank.push_back(m_graph.rank[upper] + i);
            m_graph.left.push_back(kBendReach);
            m_graph.right.push_back(kBendReach);
            m_steps.push_back({previous, bend, offset, leaves});
            offset = 0;
            leaves = Link::kAnywhere;
            previous = bend;
        }
        m_steps.push_back({previous, lower, offset - place(lower, lowerAt), leaves, lowerAt.value_or(Link::kAnywhere)});
    }

    [[nodiscard]] std::vector<std::size_t> edgesPerBox() const
    {
        std::vector<std::size_t> count(m_input.boxes.size(), 0);
        for (const auto& edge : m_input.edges) {
            if (isBesideEdge(edge))
                continue;
            ++count[edge.from];
            ++count[edge.to];
        }
        return count;
    }

    [[nodiscard]] std::uint32_t longestBent() const
    {
        std::size_t bends = 0;
        for (const auto& edge : m_input.edges) {
            const auto [upper, lower] = ends(edge);
            bends += m_graph.rank[lower] - m_graph.rank[upper];
        }
        return bends <= kMostBends ? UINT32_MAX : kLongestBent;
    }

    void markSpine()
    {
        m_graph.spine.assign(m_graph.rows.size(), kNone);
        for (const std::uint32_t box : m_spineBoxes) {
            m_graph.spine[m_graph.rank[box]] = box;
            if (m_spineEdge[box] == kNone)
                continue;
            const std::uint32_t first = m_graph.firstBend[m_spineEdge[box]];
            for (std::uint32_t bend = first; bend < first + m_graph.bends[m_spineEdge[box]]; ++bend)
                m_graph.spine[m_graph.rank[bend]] = bend;
        }
    }

    const LayoutInput& m_input;
    const std::vector<std::uint32_t>& m_beside;
    LayeredGraph m_graph;
    std::vector<Step> m_steps;
    std::vector<std::uint32_t> m_spineBoxes; // one after the other
    std::vector<std::uint32_t> m_spineEdge; // [boxes] edge of the spine that arrives, or kNone
};

} // namespace

double LayeredGraph::gap(std::uint32_t leftVertex, std::uint32_t rightVertex) const
{
    if (isBend(leftVertex) && isBend(rightVertex))
        return 8;
    return isBend(leftVertex) || isBend(rightVertex) ? 14 : kColumnGap;
}

LayeredGraph withoutLinksBetween(LayeredGraph graph, const std::vector<std::uint32_t>& ofRank)
{
    const auto column = [&](std::uint32_t vertex) { return ofRank[graph.rank[vertex]]; };
    for (Adjacency* side : {&graph.above, &graph.below}) {
        std::vector<Link> kept;
        std::uint32_t begin = 0;
        for (std::uint32_t vertex = 0; vertex < graph.rank.size(); ++vertex) {
            for (std::uint32_t i = std::exchange(begin, side->begin[vertex + 1]); i < side->begin[vertex + 1]; ++i) {
                if (column(side->links[i].end) == column(vertex))
                    kept.push_back(side->links[i]);
            }
            side->begin[vertex + 1] = static_cast<std::uint32_t>(kept.size());
        }
        side->links = std::move(kept);
    }
    return graph;
}

LayeredGraph makeLayered(
    const LayoutInput& input, const std::vector<std::uint32_t>& beside, std::vector<std::uint32_t> rank)
{
    LayeredGraph graph = Maker(input, beside, std::move(rank)).make();
    graph.leftFirst = input.leftFirst;
    return graph;
}

} // namespace duo
