// SPDX-License-Identifier: Apache-2.0
#include "views/intent/sensitivity_marks.h"

#include <algorithm>

namespace duo::ui {

std::optional<double> SensitivityMarks::of(std::span<const NodeId> nodes) const
{
    std::optional<double> largest;
    for (const NodeId node : nodes) {
        if (const auto found = ofNode.find(node); found != ofNode.end())
            largest = std::max(largest.value_or(found->second), found->second);
    }
    return largest;
}

SensitivityMarks sensitivityMarks(const SensitivityReport& report, const Snapshot& snapshot)
{
    SensitivityMarks marks;
    std::unordered_map<NodeId, std::size_t> sizes;
    for (const GroupSensitivity& group : report.groups) {
        const double share = std::max(0.0, group.score());
        if (group.kind == GroupKind::Scope) {
            if (const ScopeId scope = snapshot.scopes->execution.find(group.name); scope.valid())
                marks.ofScope[scope] = share;
        }
        for (const std::string& name : group.nodes) {
            const NodeId node = snapshot.model->findNode(name);
            if (!node.valid())
                continue;
            const auto known = sizes.find(node);
            if (known != sizes.end() && known->second <= group.nodes.size())
                continue;
            sizes[node] = group.nodes.size();
            marks.ofNode[node] = share;
        }
    }
    return marks;
}

} // namespace duo::ui
