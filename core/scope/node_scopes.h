// SPDX-License-Identifier: Apache-2.0
// Texts, differences and reasons of every node, from the facts (resources/docs/scopes.md, "What differs means").
#pragma once

#include "core/scope/facts/scope_facts.h"
#include "core/scope/trees/scope_trees.h"
#include "core/scope/trees/storage_order.h"

#include <vector>

namespace duo {

std::vector<NodeScope> nodeScopes(const Model& model, const ScopeFacts& facts, const StorageOrder& order,
    const ExecutionTree& execution, const StorageTree& storage);

} // namespace duo
