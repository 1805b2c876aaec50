// SPDX-License-Identifier: Apache-2.0
// NodeOutcomes: what became of the nodes of a plan in a run, where it is not what was planned, and how they run: in a
// form that stays short for many nodes, so that it can be kept and shown again later. Nodes are told by their places in
// the plan, whose digest says that they still stand there.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/report/node_runs.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace duo {

/// Nodes that stand one after the other in the model of the plan.
struct NodeSpan {
    std::uint32_t first = 0;
    std::uint32_t last = 0; // at least `first`
    bool operator==(const NodeSpan&) const = default;
};

/// Two sentences, each in words with a name of a node between any two of them; empty where nothing is said.
struct OutcomeWords {
    std::vector<std::string> reason;
    std::vector<std::string> counterfactual;
    auto operator<=>(const OutcomeWords&) const = default;
};

struct NodeOutcome {
    NodeSpan nodes;
    NodeState state = NodeState::Preset;
    std::uint32_t why = 0; // index of NodeOutcomes::why
    std::vector<std::uint32_t> named = {}; // nodes of the plan: those in the reason, then in the counterfactual
    bool operator==(const NodeOutcome&) const = default;
};

/// Nodes that run alike.
struct NodesRunning {
    RunsAs runs = RunsAs::Int8;
    std::string kernel;
    std::string reason;
    std::vector<NodeSpan> nodes; // in their order
    bool operator==(const NodesRunning&) const = default;
};

struct NodeOutcomes {
    std::string plan; // digest of names and states that were planned, of all nodes
    std::vector<OutcomeWords> why; // each once
    std::vector<NodeOutcome> others; // in the order of the nodes
    std::vector<NodesRunning> running = {}; // of an export
    bool operator==(const NodeOutcomes&) const = default;
};

/// @param placed what the run made of `planned`: its placement, or one on a model with changes of the float weights.
/// Both have a placement. @param runs of its export; null: there was none. O(nodes).
NodeOutcomes nodeOutcomes(const Snapshot& planned, const Snapshot& placed, const NodeRuns* runs = nullptr);

/// The plan with what became of its nodes, and quantizers where these nodes have them.
/// @return null where the plan is another one than that of the run, or what is told is more than one thing of a node,
/// or more than kLongestTold; Cancelled; errors of withKeptFloat
Result<std::shared_ptr<const Placement>> placementWith(
    const Snapshot& planned, const NodeOutcomes& outcomes, const JobContext& job);

/// All sentences on all nodes together: a few bytes of a file may tell of many nodes.
inline constexpr std::size_t kLongestTold = std::size_t{64} << 20; // bytes

/// How nodes of the plan ran, without `fallback` and `as`. @return null where it is not known, of another plan, or more
/// than one thing of a node
std::shared_ptr<const NodeRuns> runsWith(const Snapshot& planned, const NodeOutcomes& outcomes);

} // namespace duo
