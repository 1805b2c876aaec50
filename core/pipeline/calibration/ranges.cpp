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

Result<EstimatorOfNode> EstimatorOfNode::of(const Snapshot& snapshot)
{
    const QuantizationSettings& settings = snapshot.recipe.quantization;
    EstimatorOfNode all;
    const RangeEstimatorParameters general = activationsEstimator(settings);
    all.m_estimators.push_back(general);
    all.m_ofNode.assign(snapshot.model->nodes.size(), 0);
    RuleSet rules;
    for (const EstimatorRule& rule : settings.rangeEstimatorRules) {
        rules.rules.push_back(rule.rule);
        all.m_estimators.push_back(withDefaults(rule.activations, general));
    }
    for (const RangeEstimatorParameters& estimator : all.m_estimators) {
        if (const auto problem = rangeEstimatorProblem(estimator); !problem.empty())
            return Error{
                ErrorCode::InvalidRule, "this range estimator cannot be computed", "recipe", std::string(problem)};
    }
    if (rules.rules.empty())
        return all;
    const RuleHits hits = matchRules(*snapshot.model, *snapshot.scopes, rules);
    for (std::size_t i = 0; i < hits.hits.size(); ++i) {
        if (!hits.hits[i].problem.empty())
            return Error{ErrorCode::InvalidRule, hits.hits[i].problem, ruleText(rules.rules[i]),
                "correct range_estimator_rules"};
        if (hits.hits[i].nodes.empty())
            all.m_notes.push_back(
                {"unused-estimator", "this estimator rule catches no node", ruleText(rules.rules[i])});
        for (const NodeId node : hits.hits[i].nodes)
            all.m_ofNode[node.index] = i + 1;
    }
    return all;
}

std::size_t EstimatorOfNode::indexAt(const QuantizationPoint& point) const
{
    std::size_t best = point.node.valid() ? m_ofNode[point.node.index] : 0;
    for (const NodeId node : point.directlyQuantized)
        best = std::max(best, m_ofNode[node.index]);
    return best;
}

const RangeEstimatorParameters& EstimatorOfNode::at(const QuantizationPoint& point) const
{
    return m_estimators[indexAt(point)];
}

std::optional<std::size_t> EstimatorOfNode::ruleAt(const QuantizationPoint& point) const
{
    const std::size_t index = indexAt(point);
    return index == 0 ? std::nullopt : std::optional(index - 1);
}

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
