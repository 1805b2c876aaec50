// SPDX-License-Identifier: Apache-2.0
// Latency of two models, measured in turns so that a busy machine slows both.
#pragma once

#include "core/analysis/comparison/measure_pairs.h"

namespace duo {

struct Latency {
    double a = 0; // milliseconds per run, median
    double b = 0;
    int threads = 1;
    int runs = 0; // of each
};

/// Runs both on `feeds` until about a second is over, at least once after a warm-up run. @return EngineFailed,
/// Cancelled
Result<Latency> measureLatency(const SessionPair& sessions, std::span<const HostTensor> feeds, const JobContext& job);

} // namespace duo
