// SPDX-License-Identifier: Apache-2.0
// estimateRange: the range of a quantizer from recorded statistics; no data is read.
#pragma once

#include "core/calibrate/measure/statistics.h"
#include "core/model/range_estimator.h"

namespace duo {

struct EstimatedRange {
    float min = 0; // min > max: no finite value was measured
    float max = 0;
    bool fromHistogram = false; // per-sample quantiles at another probability than the recorded one: taken from all
                                // samples' histogram instead
};

/// @param parameters complete and without problem (range_estimator.h)
/// @param isSymmetric the quantizer's range is the same on both sides: `max` is then the largest magnitude, as NNCF
/// takes it (max becomes abs_max), and error measures are those of symmetric codes
/// @param levels codes of the quantizer, 256 for 8 bits
/// O(samples) for aggregates of samples, O(bins) for percentiles, O(rounds times bins) for the rest
EstimatedRange estimateRange(
    const ValueStatistics& statistics, const RangeEstimatorParameters& parameters, bool isSymmetric, int levels = 256);

} // namespace duo
