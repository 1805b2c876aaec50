// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_facts.h"

namespace duo::ui {

namespace {

/// Sums over the nodes at and below each scope. Children come after their parents.
template <typename Count> std::vector<std::int64_t> sumBelow(const ScopeTree& tree, Count countOf)
{
    std::vector<std::int64_t> sums(tree.scopes.size(), 0);
    for (std::size_t i = tree.scopes.size(); i-- > 0;) {
        for (const NodeId node : tree.scopes[i].nodes)
            sums[i] += countOf(node) ? 1 : 0;
        if (tree.scopes[i].parent.valid())
            sums[tree.scopes[i].parent.index] += sums[i];
    }
    return sums;
}

void addNeverExecuted(ScopeFacts& facts, const Scopes& scopes)
{
    const ScopeTree& tree = scopes.storage;
    for (const auto& path : scopes.neverExecuted) {
        const ScopeId scope = tree.find(path);
        if (!scope.valid())
            continue;
        facts.neverExecuted[scope.index] = true;
        facts.neverBelow[scope.index] = 1;
    }
    for (std::size_t i = tree.scopes.size(); i-- > 1;)
        facts.neverBelow[tree.scopes[i].parent.index] += facts.neverBelow[i];
    for (std::size_t i = 1; i < tree.scopes.size(); ++i) {
        if (facts.neverExecuted[tree.scopes[i].parent.index])
            facts.neverExecuted[i] = true;
    }
}

} // namespace

Provenance provenanceIn(const NodeScope& node, TreeKind kind)
{
    return kind == TreeKind::Execution ? node.executionFrom : node.storageFrom;
}

ScopeFacts findScopeFacts(const Scopes& scopes, TreeKind kind)
{
    const ScopeTree& tree = treeOf(scopes, kind);
    const auto listed = sumBelow(tree, [](NodeId) { return true; });
    const auto guessed = sumBelow(
        tree, [&](NodeId node) { return provenanceIn(scopes.nodes[node.index], kind) == Provenance::Guess; });
    ScopeFacts facts;
    facts.differing = sumBelow(tree, [&](NodeId node) { return scopes.nodes[node.index].differs; });
    facts.withParameters = sumBelow(tree, [&](NodeId node) { return !scopes.nodes[node.index].storage.empty(); });
    facts.neverExecuted.assign(tree.scopes.size(), false);
    facts.neverBelow.assign(tree.scopes.size(), 0);
    for (std::size_t i = 0; i < tree.scopes.size(); ++i)
        facts.onlyGuessed.push_back(i > 0 && listed[i] > 0 && guessed[i] == listed[i]);
    if (kind == TreeKind::Execution)
        return facts;
    for (std::size_t i = 0; i < scopes.nodes.size(); ++i) {
        for (const auto& key : scopes.nodes[i].keys)
            facts.readers[key].push_back(NodeId(i));
    }
    addNeverExecuted(facts, scopes);
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
