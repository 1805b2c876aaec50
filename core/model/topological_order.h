// SPDX-License-Identifier: Apache-2.0
// Topological order over nested regions, and how deep nodes lie in it.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <vector>

namespace duo {

/// All nodes such that producers come before readers and an owner directly before its regions' nodes; among ready nodes
/// file order wins, so an already sorted file keeps its order. O((nodes + uses) * (log nodes + nesting depth)).
/// @return MalformedModel naming a node on a cycle
Result<std::vector<NodeId>> topologicalOrder(const Model& model);

/// [Model::nodes] how many nodes stand before each on the longest way to it. O(nodes + inputs).
std::vector<std::uint32_t> nodeDepths(const Model& model);

/// The nodes by depth, then by name: a topological order whatever that of the file. O(model + nodes log nodes); O(1)
/// for fewer than two.
std::vector<NodeId> inStableOrder(const Model& model, std::vector<NodeId> nodes);

} // namespace duo
