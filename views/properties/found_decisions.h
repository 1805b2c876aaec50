// SPDX-License-Identifier: Apache-2.0
// FoundDecisions: what is decided about the nodes of a page, found in steps: of many nodes it takes a while.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/report/decisions_below.h"

#include <memory>
#include <optional>
#include <vector>

namespace duo::ui {

class FoundDecisions
{
public:
    /// As much as may be done in one event; begins anew where these are others than before. @return all is found
    bool find(const std::shared_ptr<const Snapshot>& snapshot, const std::vector<NodeId>& nodes);
    /// groupDecisions() of the nodes once all is found; none before, or without a plan.
    [[nodiscard]] const std::vector<DecisionGroup>& groups() const { return m_groups; }

private:
    std::shared_ptr<const Snapshot> m_snapshot;
    std::vector<NodeId> m_nodes;
    std::size_t m_done = 0; // of the nodes
    std::optional<DecisionGrouping> m_grouping; // while it goes on
    std::vector<DecisionGroup> m_groups;
};

} // namespace duo::ui
