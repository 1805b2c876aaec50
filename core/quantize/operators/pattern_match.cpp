// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/pattern_match.h"

#include <algorithm>

namespace duo {
namespace {

using Kind = PatternNode::Kind;

/// The pattern with what matching asks of it: readers, an anchor, and a walk that reaches each node from an earlier
/// one.
struct Plan {
    struct Step {
        int node = 0;
        int from = 0; // already assigned
        bool isReader = false; // `node` reads `from`, else the other way round
    };
    const FusionPattern* pattern = nullptr;
    std::vector<int> readers; // [nodes] number of edges out
    int anchor = 0;
    std::vector<Step> steps;
};

void planStepsInPlace(Plan& plan)
{
    const auto& nodes = plan.pattern->nodes;
    const int count = static_cast<int>(nodes.size());
    std::vector<bool> isPlanned(nodes.size(), false);
    isPlanned[static_cast<std::size_t>(plan.anchor)] = true;
    for (bool grows = true; grows;) {
        grows = false;
        for (int i = 0; i < count; ++i) {
            for (const int read : nodes[static_cast<std::size_t>(i)].reads) {
                const bool hasReader = isPlanned[static_cast<std::size_t>(i)];
                if (hasReader == isPlanned[static_cast<std::size_t>(read)])
                    continue;
                plan.steps.push_back(hasReader ? Plan::Step{read, i, false} : Plan::Step{i, read, true});
                isPlanned[static_cast<std::size_t>(hasReader ? read : i)] = true;
                grows = true;
            }
        }
    }
}

Plan planFor(const FusionPattern& pattern)
{
    Plan plan;
    plan.pattern = &pattern;
    plan.readers.assign(pattern.nodes.size(), 0);
    for (const PatternNode& node : pattern.nodes) {
        for (const int read : node.reads)
            ++plan.readers[static_cast<std::size_t>(read)];
    }
    const auto first = std::find_if(
        pattern.nodes.begin(), pattern.nodes.end(), [](const PatternNode& node) { return node.kind == Kind::Roles; });
    plan.anchor = static_cast<int>(first - pattern.nodes.begin());
    planStepsInPlace(plan);
    return plan;
}

class Matcher
{
public:
    Matcher(const OpGraph& graph, const Plan& plan, bool strict)
        : m_graph(graph)
        , m_plan(plan)
        , m_strict(strict)
        , m_assigned(plan.pattern->nodes.size(), kNoIndex)
    {
    }

    /// Tries every assignment that starts at `anchor`; `accept` sees each complete one and says whether to stop.
    template <typename Accept> bool tryAt(OpIndex anchor, const Accept& accept)
    {
        std::fill(m_assigned.begin(), m_assigned.end(), kNoIndex);
        if (!fits(m_plan.anchor, anchor))
            return false;
        m_assigned[static_cast<std::size_t>(m_plan.anchor)] = anchor;
        return extend(0, accept);
    }

private:
    template <typename Accept> bool extend(std::size_t step, const Accept& accept)
    {
        if (step == m_plan.steps.size())
            return accept(m_assigned);
        const Plan::Step& plan = m_plan.steps[step];
        const Op& from = m_graph.ops[m_assigned[static_cast<std::size_t>(plan.from)]];
        OpIndex tried = kNoIndex;
        for (const EdgeIndex e : plan.isReader ? from.out : from.in) {
            const OpIndex op = plan.isReader ? m_graph.edges[e].to : m_graph.edges[e].from;
            if (op == tried || !fits(plan.node, op))
                continue;
            tried = op;
            m_assigned[static_cast<std::size_t>(plan.node)] = op;
            if (extend(step + 1, accept))
                return true;
            m_assigned[static_cast<std::size_t>(plan.node)] = kNoIndex;
        }
        return false;
    }

    [[nodiscard]] bool fits(int index, OpIndex op) const
    {
        const PatternNode& node = m_plan.pattern->nodes[static_cast<std::size_t>(index)];
        if (node.kind == Kind::Roles && (m_graph.ops[op].traits.roles & node.roles) == 0)
            return false;
        if (std::find(m_assigned.begin(), m_assigned.end(), op) != m_assigned.end())
            return false;
        if (m_strict && node.kind != Kind::Outside && !isClosed(index, op))
            return false;
        return hasTheEdgesOfThePattern(index, op);
    }

    /// Whole numbers of edges suffice: the ones inside the match are compared separately.
    [[nodiscard]] bool isClosed(int index, OpIndex op) const
    {
        const auto reads = m_plan.pattern->nodes[static_cast<std::size_t>(index)].reads.size();
        const auto readers = static_cast<std::size_t>(m_plan.readers[static_cast<std::size_t>(index)]);
        const bool readsOk = reads == 0 || m_graph.ops[op].in.size() == reads;
        const bool readersOk = readers == 0 || m_graph.ops[op].out.size() == readers;
        return readsOk && readersOk;
    }

    [[nodiscard]] bool hasTheEdgesOfThePattern(int index, OpIndex op) const
    {
        for (std::size_t other = 0; other < m_assigned.size(); ++other) {
            if (m_assigned[other] == kNoIndex)
                continue;
            const auto& mine = m_plan.pattern->nodes[static_cast<std::size_t>(index)].reads;
            const auto& theirs = m_plan.pattern->nodes[other].reads;
            if (edges(m_assigned[other], op) != std::count(mine.begin(), mine.end(), static_cast<int>(other)))
                return false;
            if (edges(op, m_assigned[other]) != std::count(theirs.begin(), theirs.end(), index))
                return false;
        }
        return true;
    }

    [[nodiscard]] std::ptrdiff_t edges(OpIndex from, OpIndex to) const
    {
        const auto& in = m_graph.ops[to].in;
        return std::count_if(in.begin(), in.end(), [&](EdgeIndex e) { return m_graph.edges[e].from == from; });
    }

    const OpGraph& m_graph;
    const Plan& m_plan;
    bool m_strict;
    std::vector<OpIndex> m_assigned;
};

std::vector<OpIndex> returnedOps(const FusionPattern& pattern, const std::vector<OpIndex>& assigned)
{
    std::vector<OpIndex> ops;
    for (std::size_t i = 0; i < assigned.size(); ++i) {
        if (pattern.nodes[i].kind != Kind::Outside && !pattern.nodes[i].isExcluded)
            ops.push_back(assigned[i]);
    }
    std::sort(ops.begin(), ops.end());
    return ops;
}

} // namespace

std::vector<Match> findMatches(const OpGraph& graph, const std::vector<FusionPattern>& patterns, bool strict)
{
    std::vector<Match> matches;
    std::vector<bool> isTaken(graph.ops.size(), false);
    for (std::size_t p = 0; p < patterns.size(); ++p) {
        const Plan plan = planFor(patterns[p]);
        Matcher matcher(graph, plan, strict);
        const auto accept = [&](const std::vector<OpIndex>& assigned) {
            std::vector<OpIndex> ops = returnedOps(patterns[p], assigned);
            if (std::any_of(ops.begin(), ops.end(), [&](OpIndex op) { return isTaken[op]; }))
                return false;
            for (const OpIndex op : ops)
                isTaken[op] = true;
            matches.push_back({p, std::move(ops)});
            return true;
        };
        for (OpIndex op = 0; op < graph.ops.size(); ++op) {
            if (graph.isInference(op))
                matcher.tryAt(op, accept);
        }
    }
    return matches;
}

} // namespace duo
