// SPDX-License-Identifier: Apache-2.0
// NodeRuns: how the planned nodes of an export run in the engine.
#pragma once

#include "core/report/export_report.h"

#include <memory>
#include <vector>

namespace duo {

using NodeRuns = std::vector<NodeRun>; // in node order, by the names of nodes

/// Those of the check "int8-kernels"; null: it was not made.
const NodeRuns* runsIn(const ExportReport& report);

/// The same by the nodes of a model.
class RunsOfNodes
{
public:
    /// Nodes that the model does not have are left out.
    RunsOfNodes(std::shared_ptr<const NodeRuns> known, const Model& model);
    [[nodiscard]] bool isEmpty() const { return m_ofNode.empty(); }
    [[nodiscard]] const NodeRun* of(NodeId node) const; // null: it was not planned, or is of a larger model

private:
    std::shared_ptr<const NodeRuns> m_known;
    std::vector<const NodeRun*> m_ofNode; // [nodes of the model]; empty: none is known
};

} // namespace duo
