// SPDX-License-Identifier: Apache-2.0
// Clusters of nodes that a converter made of one operation without naming it: what an einsum becomes.
#pragma once

#include "core/model/model.h"

#include <functional>
#include <vector>

namespace duo {

struct NodeCluster {
    std::vector<NodeId> nodes; // connected by the values they hand on
    std::vector<NodeId> beside; // nodes outside that hand values to these or read theirs; constants are none
    std::vector<NodeId> readers; // those that read theirs
    bool readsWeight = false; // a float constant with two dimensions or more: work of a layer of its own
};

/// O(nodes + uses).
std::vector<NodeCluster> nodeClusters(const Model& model, const std::function<bool(NodeId)>& isMember);

} // namespace duo
