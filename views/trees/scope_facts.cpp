// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_facts.h"

namespace duo::ui {

ScopeFacts findScopeFacts(const Scopes& scopes, TreeKind kind)
{
    const ScopeTree& tree = treeOf(scopes, kind);
    ScopeFacts facts;
    facts.differing.assign(tree.scopes.size(), 0);
    facts.neverExecuted.assign(tree.scopes.size(), false);
    for (std::size_t i = tree.scopes.size(); i-- > 0;) { // children come after their parents
        for (const NodeId node : tree.scopes[i].nodes)
            facts.differing[i] += scopes.nodes[node.index].differs ? 1 : 0;
        if (tree.scopes[i].parent.valid())
            facts.differing[tree.scopes[i].parent.index] += facts.differing[i];
    }
    if (kind == TreeKind::Execution)
        return facts;
    for (std::size_t i = 0; i < scopes.nodes.size(); ++i) {
        for (const auto& key : scopes.nodes[i].keys)
            facts.readers[key].push_back(NodeId(i));
    }
    for (const auto& path : scopes.neverExecuted) {
        if (const ScopeId scope = tree.find(path); scope.valid())
            facts.neverExecuted[scope.index] = true;
    }
    for (std::size_t i = 0; i < tree.scopes.size(); ++i) {
        if (tree.scopes[i].parent.valid() && facts.neverExecuted[tree.scopes[i].parent.index])
            facts.neverExecuted[i] = true;
    }
    return facts;
}

std::vector<StateCounts> countStates(const ScopeTree& tree, const Placement* placement)
{
    std::vector<StateCounts> counts(tree.scopes.size());
    if (!placement)
        return counts;
    for (std::size_t i = tree.scopes.size(); i-- > 0;) {
        for (const NodeId node : tree.scopes[i].nodes)
            counts[i].add(placement->decisions[node.index].state);
        if (tree.scopes[i].parent.valid())
            counts[tree.scopes[i].parent.index].add(counts[i]);
    }
    return counts;
}

} // namespace duo::ui
