// SPDX-License-Identifier: Apache-2.0
// NodeOutcomes: what became of the nodes of a plan in a run, where it is not what was planned: by name, so that it can
// be shown again later, and where the run changed the model.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/quantize/points/kept_float.h"
#include "core/report/node_runs.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace duo {

struct NodeOutcome {
    std::string node; // name
    NodeState state = NodeState::Preset;
    std::uint32_t why = 0; // index of NodeOutcomes::why
    bool operator==(const NodeOutcome&) const = default;
};

struct NodeOutcomes {
    std::string plan; // digest of the states that were planned, of all nodes
    std::vector<RecordedKept> why; // sentences, each pair once
    std::vector<NodeOutcome> others; // in the order of the nodes
    NodeRuns runs = {}; // of an export: how its planned nodes run; without `fallback` and `as`
    bool operator==(const NodeOutcomes& other) const;
};

/// @param placed what the run made of `planned`: its placement, or one on a model with changes of the float weights.
/// Both have a placement. O(nodes).
NodeOutcomes nodeOutcomes(const Snapshot& planned, const Snapshot& placed);

/// The plan with what became of its nodes, and quantizers where these nodes have them.
/// @return null where the plan is another one than that of the run; Cancelled; errors of withKeptFloat
Result<std::shared_ptr<const Placement>> placementWith(
    const Snapshot& planned, const NodeOutcomes& outcomes, const JobContext& job);

} // namespace duo
