// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_facts.h"

namespace duo::ui {

namespace {

/// Counts of the nodes at and below a scope.
struct NodeCounts {
    std::int64_t listed = 0;
    std::int64_t guessed = 0;
    std::int64_t differing = 0;
    std::int64_t withParameters = 0;

    void add(const NodeScope& node, TreeKind kind)
    {
        ++listed;
        guessed += provenanceIn(node, kind) == Provenance::Guess ? 1 : 0;
        differing += node.differs ? 1 : 0;
        withParameters += node.storage.empty() ? 0 : 1;
    }
    void add(const NodeCounts& below)
    {
        listed += below.listed;
        guessed += below.guessed;
        differing += below.differing;
        withParameters += below.withParameters;
    }
};

/// Children come after their parents.
std::vector<NodeCounts> countNodes(const Scopes& scopes, TreeKind kind)
{
    const ScopeTree& tree = treeOf(scopes, kind);
    std::vector<NodeCounts> counts(tree.scopes.size());
    for (std::size_t i = tree.scopes.size(); i-- > 0;) {
        for (const NodeId node : tree.scopes[i].nodes)
            counts[i].add(scopes.nodes[node.index], kind);
        if (tree.scopes[i].parent.valid())
            counts[tree.scopes[i].parent.index].add(counts[i]);
    }
    return counts;
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
    ScopeFacts facts;
    for (const NodeCounts& count : countNodes(scopes, kind)) {
        facts.differing.push_back(count.differing);
        facts.withParameters.push_back(count.withParameters);
        facts.onlyGuessed.push_back(
            !facts.onlyGuessed.empty() && count.listed > 0 && count.guessed == count.listed); // never the root
    }
    facts.neverExecuted.assign(tree.scopes.size(), false);
    facts.neverBelow.assign(tree.scopes.size(), 0);
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
