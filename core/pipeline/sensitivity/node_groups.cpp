// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/node_groups.h"

#include "core/model/topological_order.h"
#include "core/pipeline/sensitivity/switchable_edits.h"
#include "core/quantize/points/compressed.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

constexpr std::size_t kMostSingle = 16; // nodes of one scope looked at one by one
constexpr std::size_t kRuns = 8; // that more are cut into
constexpr std::size_t kMostParts = 24; // of a scope

bool computesInCodes(const Decision& decision)
{
    return isCompressed(decision.state) && decision.kind() != ReasonKind::Movement
        && decision.kind() != ReasonKind::FileQuantizer;
}

Rule ignoreRule(RuleKind kind, const std::string& value)
{
    Rule rule;
    rule.kind = kind;
    rule.value = value;
    rule.origin = "suggestion";
    return rule;
}

/// The child of `scope` on the way down to `below`; invalid if that is `scope` itself.
ScopeId childTowards(const ScopeTree& tree, ScopeId scope, ScopeId below)
{
    ScopeId child;
    while (below.valid() && below != scope) {
        child = below;
        below = tree.scope(below).parent;
    }
    return child;
}

} // namespace

NodeGroups::NodeGroups(const Snapshot& snapshot)
    : m_snapshot(snapshot)
{
    const Model& model = *snapshot.model;
    const Decisions& decisions = snapshot.placement->decisions;
    std::vector<bool> isTaken(model.nodes.size(), false);
    for (const NodeId id : model.order) {
        if (!computesInCodes(decisions[id.index]))
            continue;
        const NodeId decides = decidingNode(decisions, id);
        if (!isTaken[decides.index])
            m_nodes.push_back(decides);
        isTaken[decides.index] = true;
    }
    const auto depth = nodeDepths(model);
    std::ranges::sort(m_nodes, [&](NodeId a, NodeId b) {
        return std::pair(depth[a.index], std::string_view(model.node(a).name))
            < std::pair(depth[b.index], std::string_view(model.node(b).name));
    });
}

NodeGroup NodeGroups::nodeGroup(NodeId node) const
{
    const std::string& name = m_snapshot.model->node(node).name;
    return {GroupKind::Node, name, {}, {node}, {ignoreRule(RuleKind::Name, name)}};
}

NodeGroup NodeGroups::scopeGroup(ScopeId scope, std::vector<NodeId> nodes) const
{
    const std::string& path = m_snapshot.scopes->execution.scope(scope).path;
    return {GroupKind::Scope, path, scope, std::move(nodes), {ignoreRule(RuleKind::ExecutionScope, path)}};
}

NodeGroup NodeGroups::whole() const
{
    return scopeGroup(ScopeId(0), m_nodes);
}

/// One by one where they are few, else in runs along the dataflow.
void NodeGroups::appendNodes(const std::vector<NodeId>& nodes, std::vector<NodeGroup>& parts) const
{
    appendRuns(nodes, nodes.size() <= kMostSingle ? nodes.size() : kRuns, parts);
}

/// Along the dataflow; a run of one is that node.
void NodeGroups::appendRuns(const std::vector<NodeId>& nodes, std::size_t runs, std::vector<NodeGroup>& parts) const
{
    runs = std::min(runs, nodes.size());
    for (std::size_t run = 0; run < runs; ++run) {
        const std::size_t first = run * nodes.size() / runs;
        const std::size_t last = (run + 1) * nodes.size() / runs;
        if (last == first + 1) {
            parts.push_back(nodeGroup(nodes[first]));
            continue;
        }
        NodeGroup group{GroupKind::Run, {}, {}, {}, {}};
        for (std::size_t i = first; i < last; ++i) {
            group.nodes.push_back(nodes[i]);
            group.rules.push_back(nodeGroup(nodes[i]).rules.front());
        }
        group.name = group.rules.front().value + " ... " + group.rules.back().value;
        parts.push_back(std::move(group));
    }
}

std::vector<NodeGroup> NodeGroups::partsOf(const NodeGroup& group) const
{
    std::vector<NodeGroup> parts;
    if (group.nodes.size() < 2)
        return parts;
    if (group.kind != GroupKind::Scope) {
        appendNodes(group.nodes, parts);
        return parts;
    }
    const ScopeTree& tree = m_snapshot.scopes->execution;
    std::map<ScopeId, std::vector<NodeId>> below;
    std::vector<NodeId> here;
    for (const NodeId node : group.nodes) {
        const ScopeId child = childTowards(tree, group.scope, m_snapshot.scopes->nodes[node.index].executionScope);
        (child.valid() ? below[child] : here).push_back(node);
    }
    if (here.empty() && below.size() == 1)
        return partsOf(scopeGroup(below.begin()->first, std::move(below.begin()->second)));
    for (auto& [scope, nodes] : below) // in call order
        parts.push_back(scopeGroup(scope, std::move(nodes)));
    appendNodes(here, parts);
    if (parts.size() > kMostParts) { // all of them would be looked at, or none
        parts.clear();
        appendNodes(group.nodes, parts);
    }
    return parts;
}

std::vector<NodeGroup> NodeGroups::singleNodes() const
{
    std::vector<NodeGroup> groups;
    for (const NodeId node : m_nodes)
        groups.push_back(nodeGroup(node));
    return groups;
}

std::vector<NodeGroup> NodeGroups::coarse(std::size_t most) const
{
    std::vector<NodeGroup> groups;
    if (!m_nodes.empty())
        groups.push_back(whole());
    std::vector<bool> isWhole{false};
    for (;;) {
        std::size_t largest = groups.size();
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const bool larger = largest == groups.size() || groups[i].nodes.size() > groups[largest].nodes.size();
            if (!isWhole[i] && larger)
                largest = i;
        }
        if (largest == groups.size())
            return groups;
        auto parts = partsOf(groups[largest]);
        const bool isAll = groups[largest].nodes.size() == m_nodes.size(); // in float, it leaves nothing to quantize
        if ((groups[largest].name.empty() || isAll) && parts.size() > most) {
            parts.clear();
            appendRuns(groups[largest].nodes, most, parts);
        }
        if (parts.empty() || groups.size() + parts.size() - 1 > most) {
            isWhole[largest] = true; // the next smaller one may fit
            continue;
        }
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(largest));
        isWhole.erase(isWhole.begin() + static_cast<std::ptrdiff_t>(largest));
        groups.insert(groups.end(), parts.begin(), parts.end());
        isWhole.resize(groups.size(), false);
    }
}

} // namespace duo
