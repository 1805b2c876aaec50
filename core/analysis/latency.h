// SPDX-License-Identifier: Apache-2.0
// Latency of two models, measured in turns, and by the engine's processor time, so that a busy machine changes little.
#pragma once

#include "core/analysis/measure_pairs.h"

#include <chrono>

namespace duo {

struct Latency {
    double a = 0; // milliseconds per run, median
    double b = 0;
    int threads = 1;
    int runs = 0; // of each
    double shortestA = 0; // the least that others on the machine disturb
    double shortestB = 0;
    double mostA = 0; // nine in ten runs take no more
    double mostB = 0;
};

/// How long to measure.
struct LatencyBudget {
    std::chrono::milliseconds warmUp{100}; // 0: they have run before
    std::chrono::milliseconds measured{500};
    int leastRuns = 1; // of each, also where they take longer
};

/// Runs both on `feeds` until the budget is used up, after a warm-up of at least one run unless it is 0. @return
/// EngineFailed, Cancelled
Result<Latency> measureLatency(
    const SessionPair& sessions, std::span<const HostTensor> feeds, const LatencyBudget& budget, const JobContext& job);

} // namespace duo
