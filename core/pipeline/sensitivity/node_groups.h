// SPDX-License-Identifier: Apache-2.0
// NodeGroups: the quantized nodes of a model, from the whole through scopes to single nodes, as far as one looks.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/report/sensitivity_report.h"

#include <string>
#include <vector>

namespace duo {

/// Nodes whose sensitivity is asked together; each with what is computed together with it.
struct NodeGroup {
    GroupKind kind = GroupKind::Scope;
    std::string name; // execution scope, node, or "first ... last"
    ScopeId scope; // in Scopes::execution; of a scope only
    std::vector<NodeId> nodes; // that decide for themselves (decidingNode), along the dataflow, equals by name
    std::vector<Rule> rules; // that keep them in float, of a module called several times in every call
};

class NodeGroups
{
public:
    /// Groups of the nodes that compute in codes by their own decision; nodes that only move codes follow the others.
    explicit NodeGroups(const Snapshot& snapshot);

    /// All of them as one group, of the root scope. Without nodes where nothing is quantized.
    [[nodiscard]] NodeGroup whole() const;
    /// The parts of a group: scopes below a scope and nodes directly in it, nodes of a run; where they are many, runs
    /// of nodes along the dataflow. Empty for a single node. Levels without a choice are passed over.
    [[nodiscard]] std::vector<NodeGroup> partsOf(const NodeGroup& group) const;
    /// Every node by itself.
    [[nodiscard]] std::vector<NodeGroup> singleNodes() const;
    /// The whole split, largest group first, while there are no more than `most`; into runs where its parts are more.
    [[nodiscard]] std::vector<NodeGroup> coarse(std::size_t most) const;

private:
    [[nodiscard]] NodeGroup nodeGroup(NodeId node) const;
    [[nodiscard]] NodeGroup scopeGroup(ScopeId scope, std::vector<NodeId> nodes) const;
    void appendRuns(const std::vector<NodeId>& nodes, std::size_t runs, std::vector<NodeGroup>& parts) const;
    void appendNodes(const std::vector<NodeId>& nodes, std::vector<NodeGroup>& parts) const;

    const Snapshot& m_snapshot;
    std::vector<NodeId> m_nodes; // along the dataflow
};

} // namespace duo
