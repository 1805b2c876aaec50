// SPDX-License-Identifier: Apache-2.0
// Nodes that converters make without a name of use: what hangs together, and whom it works for.
#pragma once

#include "core/model/model.h"
#include "core/scope/producers/scope_names.h"

#include <functional>
#include <span>
#include <vector>

namespace duo {

struct NodeCluster {
    std::vector<NodeId> nodes; // connected by the values they hand on
    std::vector<NodeId> beside; // nodes outside that hand values to these or read theirs; constants are none
    bool readsWeight = false; // a float constant with two dimensions or more: work of a layer of its own
};

/// O(nodes + uses).
std::vector<NodeCluster> nodeClusters(const Model& model, const std::function<bool(NodeId)>& isMember);

/// Nodes of a cluster whose results go to one scope only, directly or through others of the cluster.
struct ClusterPart {
    SpellingId scope;
    std::vector<NodeId> nodes;
    std::vector<NodeId> readers; // outside the cluster
    std::size_t weights = 0; // different float constants that its products work with
};

/// Converters keep equal work of several layers once, which joins their nodes: what works for several scopes, or for
/// one that is not told, is in no part. O(nodes of the cluster + uses).
/// @param rank [nodes] place in a topological order
/// @param scopeOf of a node outside; invalid if not told
std::vector<ClusterPart> partsOf(const Model& model, const NodeCluster& cluster, std::span<const std::uint32_t> rank,
    const std::function<SpellingId(NodeId)>& scopeOf);

} // namespace duo
