// SPDX-License-Identifier: Apache-2.0
#include "views/intent/selection.h"

#include "core/report/decisions_below.h"
#include "core/support/sorted.h"

#include <algorithm>

namespace duo::ui {

const ScopeTree& treeOf(const Scopes& scopes, TreeKind tree)
{
    return tree == TreeKind::Execution ? scopes.execution : scopes.storage;
}

Selection selectNode(NodeId node)
{
    return {{node}, std::nullopt};
}

Selection selectNodes(std::vector<NodeId> nodes)
{
    sortUniqueInPlace(nodes);
    return {std::move(nodes), std::nullopt};
}

Selection selectScope(const Scopes& scopes, TreeKind tree, ScopeId scope)
{
    return {nodesBelow(treeOf(scopes, tree), scope), ScopeRef{tree, scope}};
}

Selection carryOver(const Selection& selection, const Scopes& from, const Scopes& to)
{
    if (&from == &to || !selection.scope)
        return selection;
    const TreeKind tree = selection.scope->tree;
    const ScopeId scope = treeOf(to, tree).find(treeOf(from, tree).scope(selection.scope->scope).path);
    return scope.valid() ? selectScope(to, tree, scope) : selectNodes(selection.nodes);
}

Selection carryByName(const Selection& selection, const SelectedIn& from, const SelectedIn& to)
{
    std::vector<NodeId> nodes;
    for (const NodeId node : selection.nodes) {
        if (const NodeId same = to.model.findNode(from.model.node(node).name); same.valid())
            nodes.push_back(same);
    }
    Selection carried = selectNodes(std::move(nodes));
    carried.scope = selection.scope;
    carried = carryOver(carried, from.scopes, to.scopes);
    return carried;
}

Cover coverNodes(const ScopeTree& tree, const std::vector<NodeId>& nodes, std::size_t modelNodes)
{
    std::vector<bool> isSelected(modelNodes, false);
    for (const NodeId node : nodes)
        isSelected[node.index] = true;

    // Children come after their parents, so one pass from the back sums up subtrees.
    std::vector<std::size_t> listed(tree.scopes.size(), 0);
    std::vector<std::size_t> selected(tree.scopes.size(), 0);
    for (std::size_t i = tree.scopes.size(); i-- > 0;) {
        const Scope& scope = tree.scopes[i];
        listed[i] += scope.nodes.size();
        for (const NodeId node : scope.nodes)
            selected[i] += isSelected[node.index] ? 1U : 0U;
        if (scope.parent.valid()) {
            listed[scope.parent.index] += listed[i];
            selected[scope.parent.index] += selected[i];
        }
    }

    Cover cover;
    std::vector<bool> isCovered(tree.scopes.size(), false);
    for (std::size_t i = 0; i < tree.scopes.size(); ++i) {
        const Scope& scope = tree.scopes[i];
        if (scope.parent.valid() && isCovered[scope.parent.index]) {
            isCovered[i] = true;
        } else if (selected[i] > 0 && selected[i] == listed[i]) {
            isCovered[i] = true;
            cover.scopes.push_back(ScopeId(i));
        } else if (selected[i] > 0) {
            for (const NodeId node : scope.nodes) {
                if (isSelected[node.index])
                    cover.nodes.emplace_back(ScopeId(i), node);
            }
        }
    }
    return cover;
}

} // namespace duo::ui
