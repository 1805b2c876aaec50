// SPDX-License-Identifier: Apache-2.0
// What of a plan ONNX Runtime computes in float between quantizers, and whether a plan without it is better.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/quantize/points/kept_float.h"
#include "core/report/export_report.h"

#include <optional>
#include <vector>

namespace duo {

/// Nodes planned in int8 that the engine runs in float, without those that are carried only.
struct Unfused {
    KeptFloats products; // Conv, Gemm, MatMul: between quantizers they cost more than in float
    KeptFloats others; // additions and the like: their quantizers may serve others
};

/// @param runs of the export of `planned`, of every planned node
Unfused unfusedNodes(const Snapshot& planned, const std::vector<NodeRun>& runs, const std::string& engine);

/// How a plan runs.
struct PlanRun {
    std::vector<NodeRun> runs;
    std::size_t quantizers = 0; // points of the setup
};

/// Whether a plan with less in int8 is better: no product that ran in int8 is lost, nor another node that is still
/// planned so, and fewer products run in float between quantizers, or there are fewer quantizers.
bool isBetterRun(const PlanRun& before, const PlanRun& now);

/// What a node is planned as. `fallback`: why it runs in float; nothing where it does not.
PlannedAs plannedAs(const Node& node, const Decision& decision, std::optional<Fallback> fallback);

} // namespace duo
