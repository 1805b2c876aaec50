// SPDX-License-Identifier: Apache-2.0
#include "views/intent/found_marks.h"

namespace duo::ui {
namespace {

TreeKind treeOfThing(const FoundThing& thing)
{
    return thing.kind == FoundThing::Kind::StorageScope ? TreeKind::Storage : TreeKind::Execution;
}

/// Nodes at and below scopes. @param isFound of each scope; those below are added: children come after their parents
void addBelow(const ScopeTree& tree, std::vector<bool>& isFound, std::vector<bool>& isIn)
{
    for (std::size_t i = 0; i < tree.scopes.size(); ++i) {
        const Scope& scope = tree.scopes[i];
        if (!isFound[i] && !(scope.parent.valid() && isFound[scope.parent.index]))
            continue;
        isFound[i] = true;
        for (const NodeId node : scope.nodes)
            isIn[node.index] = true;
    }
}

} // namespace

const FoundThing* FoundMarks::thing() const
{
    return current < found->things.size() ? &found->things[current] : nullptr;
}

NodeId FoundMarks::gone() const
{
    return thing() != nullptr ? NodeId() : found->gone[current - found->things.size()];
}

Selection selectionOf(const FoundThing& thing, const Scopes& scopes)
{
    return thing.kind == FoundThing::Kind::Node ? selectNode(thing.node)
                                                : selectScope(scopes, treeOfThing(thing), thing.scope);
}

Selection selectionOf(const Found& found, const Scopes& scopes)
{
    if (found.things.size() == 1)
        return selectionOf(found.things.front(), scopes);
    std::vector<bool> isIn(scopes.nodes.size(), false);
    std::vector<bool> isCalled(scopes.execution.scopes.size(), false);
    std::vector<bool> isStored(scopes.storage.scopes.size(), false);
    for (const FoundThing& thing : found.things) {
        if (thing.kind == FoundThing::Kind::Node)
            isIn[thing.node.index] = true;
        else
            (thing.kind == FoundThing::Kind::ExecutionScope ? isCalled : isStored)[thing.scope.index] = true;
    }
    addBelow(scopes.execution, isCalled, isIn);
    addBelow(scopes.storage, isStored, isIn);
    Selection selection;
    for (std::size_t i = 0; i < isIn.size(); ++i) {
        if (isIn[i])
            selection.nodes.emplace_back(i);
    }
    return selection;
}

std::vector<NodeId> nodesStandingFor(const FoundMarks& marks)
{
    std::vector<NodeId> nodes;
    for (const FoundThing& thing : marks.found->things) {
        const NodeId node = thing.kind == FoundThing::Kind::Node
            ? thing.node
            : firstNodeBelow(treeOf(*marks.scopes, treeOfThing(thing)), thing.scope);
        if (node.valid())
            nodes.push_back(node);
    }
    return nodes;
}

} // namespace duo::ui
