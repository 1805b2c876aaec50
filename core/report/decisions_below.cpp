// SPDX-License-Identifier: Apache-2.0
#include "core/report/decisions_below.h"

#include "core/support/sorted.h"

#include <algorithm>
#include <numeric>

namespace duo {

namespace {

/// What is said follows from the node it is computed together with (togetherKey): so it is of half of all nodes of most
/// models.
bool isToldByFirst(const Decision& decision)
{
    if (decision.isOfGroup)
        return decision.reason.code != ReasonCode::InsideCall; // which names where the node itself is
    return decision.reason.code == ReasonCode::WithNode && !decision.isUnmovedByRule;
}

std::uint64_t togetherKey(const Decision& decision)
{
    static_assert(sizeof(decision.fusedWith.index) == 4 && sizeof(decision.group) == 2);
    static_assert(sizeof(ReasonCode) == 1 && sizeof(NodeState) == 1);
    return std::uint64_t{decision.fusedWith.index} << 32U | std::uint64_t{decision.group} << 16U
        | static_cast<std::uint64_t>(decision.reason.code) << 8U | static_cast<std::uint64_t>(decision.state) << 1U
        | (decision.isUnmovedByRule ? 1U : 0U);
}

} // namespace

std::vector<NodeId> nodesBelow(const ScopeTree& tree, ScopeId top)
{
    std::vector<NodeId> nodes;
    std::vector<ScopeId> open{top};
    while (!open.empty()) {
        const Scope& scope = tree.scope(open.back());
        open.pop_back();
        nodes.insert(nodes.end(), scope.nodes.begin(), scope.nodes.end());
        open.insert(open.end(), scope.children.begin(), scope.children.end());
    }
    sortUniqueInPlace(nodes);
    return nodes;
}

std::size_t DecisionGrouping::groupOfWords(NodeId node)
{
    std::string sentence = whyText(*m_model, *m_placement, node);
    sentence.push_back(static_cast<char>(m_placement->decisions[node.index].state));
    return m_bySentence.try_emplace(std::move(sentence), m_groups.size()).first->second;
}

/// The next one where there is none yet.
std::size_t DecisionGrouping::groupOf(NodeId node)
{
    const Decision& decision = m_placement->decisions[node.index];
    if (isToldByFirst(decision))
        return m_together.try_emplace(togetherKey(decision), m_groups.size()).first->second;
    const auto reason = commonReason(*m_model, *m_placement, node);
    if (!reason)
        return groupOfWords(node);
    const auto [known, isNew] = m_common.try_emplace({decision.state, *reason});
    if (isNew)
        known->second = groupOfWords(node);
    return known->second;
}

void DecisionGrouping::add(NodeId node)
{
    const Decision& decision = m_placement->decisions[node.index];
    const std::size_t group = groupOf(node);
    if (group == m_groups.size())
        m_groups.push_back({decision.state, decision.kind(), {}});
    m_groups[group].nodes.push_back(node);
}

std::vector<DecisionGroup> DecisionGrouping::groups() &&
{
    std::vector<std::size_t> order(m_groups.size()); // groups are large to move
    std::iota(order.begin(), order.end(), std::size_t{});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return m_groups[a].state != m_groups[b].state ? m_groups[a].state < m_groups[b].state
                                                      : m_groups[a].nodes.size() > m_groups[b].nodes.size();
    });
    std::vector<DecisionGroup> sorted;
    sorted.reserve(m_groups.size());
    for (const std::size_t group : order)
        sorted.push_back(std::move(m_groups[group]));
    return sorted;
}

std::vector<DecisionGroup> groupDecisions(
    const Model& model, const Placement& placement, const std::vector<NodeId>& nodes)
{
    DecisionGrouping grouping(model, placement);
    for (const NodeId node : nodes)
        grouping.add(node);
    return std::move(grouping).groups();
}

std::vector<std::string> neverExecutedBelow(const Scopes& scopes, ScopeId storage)
{
    const std::string& path = scopes.storage.scope(storage).path;
    std::vector<std::string> below;
    for (const std::string& top : scopes.neverExecuted) {
        if (path.starts_with(top + "."))
            return {path};
        if (path.empty() || top == path || top.starts_with(path + "."))
            below.push_back(top);
    }
    return below;
}

std::vector<ScopeId> otherPaths(const Scopes& scopes, ScopeId storage)
{
    const Scope& scope = scopes.storage.scope(storage);
    const ScopeId first = scope.sameAs.valid() ? scope.sameAs : storage;
    std::vector<ScopeId> others;
    if (first != storage)
        others.push_back(first);
    for (std::size_t s = 0; s < scopes.storage.scopes.size(); ++s) {
        if (scopes.storage.scopes[s].sameAs == first && ScopeId(s) != storage)
            others.emplace_back(s);
    }
    return others;
}

} // namespace duo
