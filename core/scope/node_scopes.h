// SPDX-License-Identifier: Apache-2.0
// Texts, differences and reasons of every node, from the facts (DESIGN section 2).
#pragma once

#include "core/scope/scope_facts.h"
#include "core/scope/trees/scope_trees.h"
#include "core/scope/trees/storage_order.h"

#include <vector>

namespace duo {

std::vector<NodeScope> nodeScopes(const Model& model, const ScopeFacts& facts, const StorageOrder& order,
    const ExecutionTree& execution, const StorageTree& storage);

} // namespace duo
