// SPDX-License-Identifier: Apache-2.0
// Statistics of values over a dataset, measured on the embedded engine.
#pragma once

#include "core/calibrate/dataset.h"
#include "core/support/job.h"

#include <map>
#include <string>
#include <vector>

namespace duo {

/// Exact extremes of one value; min > max if no finite element was seen.
struct ValueStatistics {
    float min = 0;
    float max = 0;
    std::vector<float> sampleMin; // [samples] per-sample extremes, in sample order
    std::vector<float> sampleMax;
    std::int64_t nonFinite = 0; // NaN and Inf elements, left out of the extremes
    std::int64_t firstNonFiniteSample = -1;
    bool operator==(const ValueStatistics&) const = default;
};

struct Statistics {
    std::int64_t samples = 0;
    std::map<std::string, ValueStatistics> values; // by value name
    bool operator==(const Statistics&) const = default;
};

/// Runs `samples` samples (at most all) through the model and records the float32 values named. Streaming: memory does
/// not grow with samples but for two floats per value and sample. The result does not depend on `threads`.
/// @return EngineFailed, BadData (no samples), Cancelled
Result<Statistics> collectStatistics(const Model& model, const std::vector<std::string>& values, const Dataset& dataset,
    std::int64_t samples, int threads, const JobContext& job);

} // namespace duo
