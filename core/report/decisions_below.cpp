// SPDX-License-Identifier: Apache-2.0
#include "core/report/decisions_below.h"

#include "core/report/decision_sentences.h"
#include "core/support/sorted.h"

#include <algorithm>
#include <map>

namespace duo {

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

std::vector<DecisionGroup> groupDecisions(
    const Model& model, const Placement& placement, const std::vector<NodeId>& nodes)
{
    std::map<std::pair<NodeState, std::string>, DecisionGroup> groups;
    for (const NodeId id : nodes) {
        const Decision& decision = placement.decisions[id.index];
        std::string reason = whyText(model, placement, id);
        DecisionGroup& group = groups[{decision.state, reason}];
        group.state = decision.state;
        group.kind = decision.kind();
        group.reason = std::move(reason);
        group.nodes.push_back(id);
    }
    std::vector<DecisionGroup> sorted;
    for (auto& [key, group] : groups)
        sorted.push_back(std::move(group));
    std::stable_sort(sorted.begin(), sorted.end(), [](const DecisionGroup& a, const DecisionGroup& b) {
        return a.state != b.state ? a.state < b.state : a.nodes.size() > b.nodes.size();
    });
    return sorted;
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
