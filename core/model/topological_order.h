// SPDX-License-Identifier: Apache-2.0
// Topological order over nested regions.
#pragma once

#include "core/model/model.h"

namespace duo {

/// All nodes such that producers come before readers and an owner directly before its regions' nodes; among ready nodes
/// file order wins, so an already sorted file keeps its order. O((nodes + uses) * (log nodes + nesting depth)).
/// @return MalformedModel naming a node on a cycle
Result<std::vector<NodeId>> topologicalOrder(const Model& model);

} // namespace duo
