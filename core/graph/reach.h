// SPDX-License-Identifier: Apache-2.0
// Reach: which nodes feed a node, and which it feeds.
#pragma once

#include "core/model/model.h"

#include <span>
#include <vector>

namespace duo {

/// Nodes from which values lead to any of `nodes`, and these; ascending. What a body reads and gives counts for its
/// owner, and the other way round. O(nodes + uses).
std::vector<NodeId> upstreamOf(const Model& model, std::span<const NodeId> nodes);

/// Nodes to which values of any of `nodes` lead, and these; ascending. O(nodes + uses).
std::vector<NodeId> downstreamOf(const Model& model, std::span<const NodeId> nodes);

/// Nodes on a way from one of `nodes` to another, and these; ascending. O(nodes + uses).
std::vector<NodeId> between(const Model& model, std::span<const NodeId> nodes);

} // namespace duo
