// SPDX-License-Identifier: Apache-2.0
// Ranges of a setup's activations, from statistics and the recipe's estimators.
#pragma once

#include "core/pipeline/calibration/estimator_of_node.h"
#include "core/pipeline/calibration/measured_values.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/quantize/points/parameters.h"

#include <map>
#include <string>
#include <vector>

namespace duo {

struct SetupRanges {
    std::map<std::string, MeasuredRange> byValue; // every name of valuesToMeasure
    std::vector<Note> notes; // what was taken from histograms instead of samples
};

/// Reads no data. @param estimators and measured of the snapshot @return BadData naming a value the statistics do not
/// hold
Result<SetupRanges> rangesOf(
    const Snapshot& snapshot, const EstimatorOfNode& estimators, const MeasuredValues& measured);

/// The recipe's estimator for activations with its defaults: NNCF's (mean of the samples' extremes) where compatible,
/// else the extremes.
RangeEstimatorParameters activationsEstimator(const QuantizationSettings& settings);

} // namespace duo
