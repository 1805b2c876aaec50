// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/ranges.h"

#include "core/calibrate/estimate/estimate_range.h"
#include "core/model/value_address.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/profile_rules.h"
#include "core/quantize/profiles/clamps.h"

#include <algorithm>
#include <set>

namespace duo {
namespace {

/// The extremes of all samples, whatever the estimator: nothing else is recorded per channel (NNCF's default too).
std::vector<Range> channelRanges(const ChannelStatistics& channels)
{
    std::vector<Range> ranges;
    for (std::size_t c = 0; channels.axis == 1 && c < channels.min.size(); ++c) {
        if (channels.min[c] > channels.max[c])
            return {}; // no finite element
        ranges.push_back({channels.min[c], channels.max[c]});
    }
    return ranges;
}

bool isExtremes(const RangeEstimatorParameters& estimator)
{
    return estimator.min.statisticsType.value_or(StatisticsType::Min) == StatisticsType::Min
        && estimator.max.statisticsType.value_or(StatisticsType::Max) == StatisticsType::Max
        && estimator.min.aggregatorType.value_or(AggregatorType::Min) == AggregatorType::Min
        && estimator.max.aggregatorType.value_or(AggregatorType::Max) == AggregatorType::Max;
}

} // namespace

RangeEstimatorParameters activationsEstimator(const QuantizationSettings& settings)
{
    const auto fallback = rangeEstimatorSet(targetOf(settings).likeNncf ? "MEAN_MINMAX" : "MINMAX");
    return withDefaults(settings.activationsRangeEstimator.value_or(RangeEstimatorParameters{}), *fallback);
}

Result<SetupRanges> rangesOf(
    const Snapshot& snapshot, const EstimatorOfNode& estimators, const MeasuredValues& measured)
{
    const Model& model = *snapshot.model;
    SetupRanges ranges;
    ranges.notes = estimators.notes();
    std::set<std::string> approximate;
    std::set<std::string> extremes;
    const QuantizationSettings& settings = snapshot.recipe.quantization;
    const bool takesChannels = targetOf(settings).perChannelActivations;
    const bool isAsked = settings.activationsRangeEstimator || !settings.rangeEstimatorRules.empty();
    for (const auto& [id, point] : snapshot.placement->setup.points) {
        if (point.isWeight)
            continue;
        for (const ValueId value : pointValues(model, point)) {
            const std::string name = addressOf(model, value);
            const ValueStatistics* found = measured.of(behindClamps(model, value));
            if (!found)
                return Error{ErrorCode::BadData, "the statistics do not hold this value", name,
                    "measure again, with this recipe"};
            const bool isSymmetric = point.config.mode == QuantizationMode::Symmetric;
            const EstimatedRange range = estimateRange(
                *found, estimators.at(point), isSymmetric, 1 << std::clamp(point.config.numBits, 2, 16));
            const auto [known, isNew] = ranges.byValue.try_emplace(name, MeasuredRange{{range.min, range.max}});
            Range& whole = known->second.whole;
            whole = {std::min(whole.min, range.min), std::max(whole.max, range.max)};
            if (takesChannels && point.config.perChannel && measured.statistics().values.contains(name)) {
                known->second.channels = channelRanges(found->channels);
                if (isAsked && !known->second.channels.empty() && !isExtremes(estimators.at(point)))
                    extremes.insert(name);
            }
            if (range.fromHistogram)
                approximate.insert(name);
        }
    }
    if (!extremes.empty())
        ranges.notes.push_back({"extremes-of-channels",
            "a scale per channel takes the extremes of all samples, whatever the estimator; "
                + std::to_string(extremes.size()) + " values have such scales",
            *extremes.begin()});
    if (!approximate.empty())
        ranges.notes.push_back({"approximate-quantile",
            "quantiles of samples are recorded for quantile_outlier_prob 1e-4 only; for "
                + std::to_string(approximate.size()) + " values another one was taken from all samples' histogram",
            *approximate.begin()});
    return ranges;
}

} // namespace duo
