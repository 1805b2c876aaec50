// SPDX-License-Identifier: Apache-2.0
// Selection: the one thing all views agree on, as a value: nodes, and the scope they were chosen by, if any.
#pragma once

#include "core/model/model.h"
#include "core/scope/scope.h"

#include <QMetaType>

#include <optional>
#include <vector>

namespace duo::ui {

enum class TreeKind { Execution, Storage };

struct ScopeRef {
    TreeKind tree = TreeKind::Execution;
    ScopeId scope;
    bool operator==(const ScopeRef&) const = default;
};

struct Selection {
    std::vector<NodeId> nodes; // ascending, without repeats
    std::optional<ScopeRef> scope; // set if the user chose a scope; `nodes` are then those of it and below
    bool operator==(const Selection&) const = default;
};

const ScopeTree& treeOf(const Scopes& scopes, TreeKind tree);

Selection selectNode(NodeId node);
Selection selectNodes(std::vector<NodeId> nodes); // any order
Selection selectScope(const Scopes& scopes, TreeKind tree, ScopeId scope);

/// The same selection where the scopes of the model were found anew: a scope by its path, else its nodes. O(nodes).
Selection carryOver(const Selection& selection, const Scopes& from, const Scopes& to);

/// A model, and its scopes.
struct SelectedIn {
    const Model& model;
    const Scopes& scopes;
};
/// The same selection where another model was made of the same file: a scope by its path, nodes by their names.
/// O(nodes).
Selection carryByName(const Selection& selection, const SelectedIn& from, const SelectedIn& to);

/// What of a tree stands for a set of nodes: the topmost scopes all of whose nodes are in the set, and the remaining
/// nodes with the scope they stand in. Ascending. O(scopes + nodes listed in the tree).
struct Cover {
    std::vector<ScopeId> scopes;
    std::vector<std::pair<ScopeId, NodeId>> nodes;
};
Cover coverNodes(const ScopeTree& tree, const std::vector<NodeId>& nodes, std::size_t modelNodes);

} // namespace duo::ui

Q_DECLARE_METATYPE(duo::ui::Selection)
