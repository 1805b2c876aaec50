// SPDX-License-Identifier: Apache-2.0
#include "core/report/node_runs.h"

#include <algorithm>
#include <utility>

namespace duo {

const NodeRuns* runsIn(const ExportReport& report)
{
    const auto check = std::ranges::find(report.checks, "int8-kernels", &Check::id);
    return check == report.checks.end() ? nullptr : &check->results;
}

RunsOfNodes::RunsOfNodes(std::shared_ptr<const NodeRuns> known, const Model& model)
    : m_known(std::move(known))
{
    for (const NodeRun& run : *m_known) {
        const NodeId node = model.findNode(run.node);
        if (!node.valid())
            continue;
        m_ofNode.resize(model.nodes.size());
        m_ofNode[node.index] = &run;
    }
}

const NodeRun* RunsOfNodes::of(NodeId node) const
{
    return node.index < m_ofNode.size() ? m_ofNode[node.index] : nullptr;
}

} // namespace duo
