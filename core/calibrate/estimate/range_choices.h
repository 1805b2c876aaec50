// SPDX-License-Identifier: Apache-2.0
// RangeChoices: what each estimator would make of one value, and its histogram for drawing; no data is read.
#pragma once

#include "core/calibrate/estimate/estimate_range.h"
#include "core/calibrate/estimate/range_search.h"

#include <optional>
#include <string>
#include <vector>

namespace duo {

/// How well a range fits what was measured.
struct RangeFit {
    double clippedShare = 0; // of the finite elements: outside the codes' ends, 0..1
    std::optional<double> sqnrDb; // signal to quantization noise; nothing where either is zero
    double noise = 0; // mean squared error; not finite where there are no codes
};

/// O(bins).
RangeFit rangeFit(const ValueStatistics& statistics, double min, double max, bool isSymmetric, int levels = 256);

/// The same for codes as they are.
RangeFit gridFit(const ValueStatistics& statistics, const CodeGrid& grid);

struct RangeChoice {
    std::string estimator; // name of a set (range_estimator.h)
    EstimatedRange range;
    RangeFit fit;
};

/// Every named set, in the order of rangeEstimatorSetNames(); empty if no finite element was measured.
std::vector<RangeChoice> rangeChoices(const ValueStatistics& statistics, bool isSymmetric, int levels = 256);

/// Equal bins from the least to the largest value.
struct EvenHistogram {
    double min = 0;
    double width = 0; // of a bin; 0: all elements are equal, or there are none
    std::vector<double> counts; // elements; those of a recorded bin that reaches over several count as evenly spread
};

EvenHistogram evenHistogram(const ValueStatistics& statistics, std::size_t bins);

} // namespace duo
