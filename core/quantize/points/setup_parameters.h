// SPDX-License-Identifier: Apache-2.0
// Parameters of a whole setup: ranges of activations and the weights themselves -> scales and zero points.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/parameters.h"
#include "core/quantize/points/settings.h"
#include "core/support/job.h"

#include <map>
#include <string>
#include <vector>

namespace duo {

/// Addresses of the values whose range the setup needs, sorted, without repeats.
std::vector<std::string> valuesToMeasure(const Model& model, const QuantizerSetup& setup);

/// One entry per point. Points of a unified scale group share the union of their ranges. Weight scales are raised where
/// the int32 bias of their node would overflow. Reads all weights that have a point, on `threads` threads.
/// @param ranges by address, for every name of valuesToMeasure
/// @return BadData naming the value or node whose range or weight cannot be used; Cancelled
Result<ParametersByPoint> setupParameters(const Model& model, const QuantizerSetup& setup,
    const std::map<std::string, MeasuredRange>& ranges, const QuantizationSettings& settings, int threads,
    const JobContext& job);

/// The weights' parameters beside those that are `known`, as setupParameters makes them.
Result<ParametersByPoint> withWeightParameters(const Model& model, const QuantizerSetup& setup, ParametersByPoint known,
    const QuantizationSettings& settings, int threads, const JobContext& job);

/// Weight points that overflow_fix makes use half their codes, ascending. O(points + uses).
std::vector<PointId> halfRangePoints(
    const Model& model, const QuantizerSetup& setup, const QuantizationSettings& settings);

/// What a range gives an activation under these settings. @return as activationParameters
Result<QuantizationParameters> rangeParameters(
    const QuantizerConfig& config, const Range& range, const QuantizationSettings& settings);

/// Largest code of an int32 bias: the accumulator keeps as much room as it takes itself.
inline constexpr std::int32_t kMostBiasCodes = 1 << 30;

/// Smallest scale of an int32 bias that holds `maxAbs` with a safety margin.
float minimumBiasScale(float maxAbs);

} // namespace duo
