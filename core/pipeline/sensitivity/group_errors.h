// SPDX-License-Identifier: Apache-2.0
// GroupErrors: groups of nodes with the output error of each alone, and of everything but each.
#pragma once

#include "core/pipeline/sensitivity/node_groups.h"
#include "core/pipeline/sensitivity/switchable_model.h"
#include "core/report/sensitivity_report.h"

#include <optional>
#include <vector>

namespace duo {

struct MeasuredGroup {
    NodeGroup group;
    GroupSensitivity sensitivity; // `partOf`: index in GroupErrors::groups
    bool isSplit = false; // no parts of it are measured any more
};

MeasuredError measuredError(const OutputsApart& apart);

class GroupErrors
{
public:
    /// Keeps references to all.
    GroupErrors(const Snapshot& exported, const SwitchableModel& model, int threads, const JobContext& job);

    [[nodiscard]] const NodeGroups& nodeGroups() const { return m_nodeGroups; }
    /// Runs the groups, and at the first call everything. @param partOf the one they are parts of
    Status measure(std::vector<NodeGroup> groups, std::optional<std::size_t> partOf);
    void markSplit(std::size_t group) { m_groups[group].isSplit = true; }
    [[nodiscard]] const std::vector<MeasuredGroup>& groups() const { return m_groups; }
    [[nodiscard]] const MeasuredError& all() const { return m_all; }
    [[nodiscard]] const std::optional<double>& agreement() const { return m_agreement; }

private:
    /// The group's quantizers, those it shares with others included.
    [[nodiscard]] Switched only(const NodeGroup& group) const;
    /// Everything but those that nobody else needs.
    [[nodiscard]] Switched allBut(const NodeGroup& group) const;
    [[nodiscard]] GroupSensitivity sensitivityOf(
        const NodeGroup& group, MeasuredError only, MeasuredError allBut) const;

    const Snapshot& m_exported;
    const SwitchableModel& m_model;
    int m_threads;
    const JobContext& m_job;
    NodeGroups m_nodeGroups;
    std::vector<MeasuredGroup> m_groups;
    bool m_ranAll = false;
    MeasuredError m_all;
    std::optional<double> m_agreement;
};

} // namespace duo
