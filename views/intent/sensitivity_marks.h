// SPDX-License-Identifier: Apache-2.0
// SensitivityMarks: what a sensitivity report says of the nodes and scopes of a snapshot, for trees and graph.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/report/sensitivity_report.h"

#include <optional>
#include <span>
#include <unordered_map>

namespace duo::ui {

struct SensitivityMarks {
    std::unordered_map<NodeId, double> ofNode; // share of the noise, of the smallest group that was measured
    std::unordered_map<ScopeId, double> ofScope; // execution scopes that were measured

    /// Of several nodes: the largest; nothing where none of them was measured.
    [[nodiscard]] std::optional<double> of(std::span<const NodeId> nodes) const;
};

/// O(nodes of all groups).
SensitivityMarks sensitivityMarks(const SensitivityReport& report, const Snapshot& snapshot);

} // namespace duo::ui
