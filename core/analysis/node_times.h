// SPDX-License-Identifier: Apache-2.0
// NodeTimes: how long each node of a model takes in the engine.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/engine/session.h"
#include "core/model/model.h"
#include "core/support/job.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duo {

/// One kernel that the engine runs, in the main graph or a body.
struct KernelTime {
    std::string name; // as the engine has it, in a body behind the names of what the body belongs to
    std::string opType; // likewise: "FusedConv"
    double microseconds = 0; // of one run, however often a loop repeats it there: median; without those of its bodies
    std::vector<NodeId> nodes; // of the model, whose work it does, ascending; empty: not known, or the engine's own
};

struct NodeTimes {
    std::vector<KernelTime> kernels; // longest first
    std::vector<std::optional<double>>
        ofNode; // [nodes] microseconds of the kernel that the node leads; nothing: others
    std::vector<NodeId> ledBy; // [nodes] the leading node of its kernel; invalid: it runs in none that is known
    double runMicroseconds = 0; // a whole run, median
    double kernelMicroseconds = 0; // the sum of the kernels
    int runs = 0; // measured, behind one that warms up
    int threads = 1;
    std::string date = {}; // "2026-11-22T14:05:00.250Z"; "": just now
};

struct TimesBudget {
    std::chrono::milliseconds time{2000};
    int leastRuns = 3;
    std::int64_t mostEvents = 500'000; // a kernel in a run is one; the engine drops what comes after a million
};

/// What follows from the kernels, whose nodes are of this model: their sum, `ofNode` and `ledBy`.
void spreadOverNodes(const Model& model, NodeTimes& times);

/// Runs the model on `feeds` until the budget is used up. Progress: "time", in milliseconds of the budget.
/// @return EngineFailed, Cancelled, NotWritable
Result<NodeTimes> measureNodeTimes(const Model& model, std::span<const HostTensor> feeds, const TimesBudget& budget,
    int threads, const JobContext& job);

/// The same on the first sample. @param threads 0: one, with which the times of nodes add up
Result<NodeTimes> measureNodeTimes(const Model& model, const Dataset& dataset, int threads, const JobContext& job);

} // namespace duo
