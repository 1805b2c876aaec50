// SPDX-License-Identifier: Apache-2.0
// The two trees, from the facts.
#pragma once

#include "core/scope/facts/scope_facts.h"
#include "core/scope/trees/storage_order.h"

#include <vector>

namespace duo {

/// A tree and where its makers' ids went.
struct ExecutionTree {
    ScopeTree tree;
    std::vector<ScopeId> ofCall; // [CallTree::calls]
    std::vector<ScopeId> ofNode; // [Model::nodes]
    BodyOwners bodyOwners;
};
struct StorageTree {
    ScopeTree tree;
    std::vector<ScopeId> ofPath; // [ModulePaths]; invalid: no scope of its own
};

/// Calls as scopes of an execution tree, each by its number, without nodes.
ScopeTree scopesOfCalls(const CallTree& calls, const ModulePaths& paths);

/// Totals count a node, and a tensor, once in every scope that holds it, however often it is below.
ExecutionTree executionTree(const Model& model, const ScopeFacts& facts);
/// @param checkpoint its sizes count for what it holds; may be null
StorageTree storageTree(
    const Model& model, const ScopeFacts& facts, const StorageOrder& order, const Checkpoint* checkpoint);

} // namespace duo
