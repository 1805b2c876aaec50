// SPDX-License-Identifier: Apache-2.0
// Facts of one value: its histogram, and what every estimator would make of it.
#include "core/model/value_address.h"
#include "core/pipeline/calibration/measured_values.h"
#include "core/pipeline/calibration/ranges.h"
#include "core/pipeline/sensitivity/make_forecast.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/profile_rules.h"
#include "core/quantize/points/setup_parameters.h"
#include "core/quantize/points/weight_error.h"
#include "core/quantize/profiles/clamps.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

bool isFloatConstant(const Model& model, ValueId value)
{
    const Tensor* tensor = model.constant(value);
    return tensor != nullptr && tensor->type == ElementType::Float32 && tensor->elements() > 0;
}

/// Statistics of a tensor of the model, as if it were one sample.
ValueStatistics tensorStatistics(
    const std::vector<float>& values, const std::vector<std::int64_t>& dims, std::optional<std::int64_t> axis)
{
    TensorMeter meter(MeasureKinds{.quantiles = false, .moments = false, .channels = axis.has_value()});
    const TensorMeasure& measure = meter.measure(values, dims, axis);
    ValueStatistics statistics;
    statistics.min = measure.min;
    statistics.max = measure.max;
    statistics.elements = measure.elements;
    statistics.nan = measure.nan;
    statistics.infinite = measure.infinite;
    statistics.histogram.add(measure.bins.bins());
    statistics.sum.add(measure.moments.sum);
    if (axis) {
        statistics.channels.axis = *axis;
        const ChannelMeasure& channels = measure.channels;
        statistics.channels.min.assign(channels.min.begin(), channels.min.end());
        statistics.channels.max.assign(channels.max.begin(), channels.max.end());
        statistics.channels.counts.assign(channels.counts.begin(), channels.counts.end());
    }
    return statistics;
}

Result<ValueFacts> weightFacts(const Snapshot& snapshot, const Forecast& forecast, const ValueSpot& spot)
{
    const Model& model = *snapshot.model;
    ValueFacts facts;
    facts.value = addressOf(model, spot.value);
    facts.point = spot.point;
    facts.isWeight = true;
    if (!spot.point) {
        const Tensor& tensor = *model.constant(spot.value);
        facts.statistics
            = std::make_shared<ValueStatistics>(tensorStatistics(toFloats(tensor), tensor.dims, std::nullopt));
        return facts;
    }
    const QuantizationPoint& point = snapshot.placement->setup.points.at(*spot.point);
    DUO_TRY(weight, readWeight(model, point.node, point.port.value_or(0)));
    const QuantizerForecast* quantizer = forecast.at(*spot.point);
    facts.config = point.config;
    std::optional<std::int64_t> axis;
    if (quantizer) {
        facts.used = quantizer->outcome;
        axis = quantizer->outcome.parameters.axis;
    }
    facts.statistics = std::make_shared<ValueStatistics>(tensorStatistics(weight.values, weight.dims, axis));
    return facts;
}

/// Of a value without a quantizer: what the settings give activations.
QuantizerConfig usualConfig(const QuantizationSettings& settings)
{
    QuantizerConfig config;
    config.numBits = settings.activations.numBits.value_or(config.numBits);
    config.mode = targetOf(settings).activations;
    return config;
}

std::optional<RangeOutcome> outcomeOf(const RangeChoice& choice, const ValueStatistics& statistics,
    const QuantizerConfig& config, const QuantizationSettings& settings)
{
    const Range range{choice.range.min, choice.range.max};
    auto parameters = rangeParameters(config, range, settings);
    if (!parameters)
        return std::nullopt;
    RangeOutcome outcome{choice.estimator, range, choice.range.fromHistogram, *std::move(parameters), {}, {}};
    outcome.ends = codeEnds(outcome.parameters);
    outcome.fit = gridFit(statistics, {outcome.ends.min, outcome.ends.max, outcome.parameters.scale.front()});
    return outcome;
}

std::size_t othersWithTheScale(const QuantizerSetup& setup, PointId point)
{
    for (const auto& [group, members] : setup.unifiedScaleGroups) {
        if (std::ranges::find(members, point) != members.end())
            return members.size() - 1;
    }
    return 0;
}

/// Its own, else those that a quantizer on it takes its range from.
const ValueStatistics* statisticsAt(const Model& model, const MeasuredValues& measured, const ValueSpot& spot)
{
    const ValueStatistics* own = measured.of(spot.value);
    return own || !spot.point ? own : measured.of(behindClamps(model, spot.value));
}

} // namespace

std::vector<ValueSpot> spotsOf(const Snapshot& snapshot, const Statistics& statistics, NodeId node)
{
    const Model& model = *snapshot.model;
    std::vector<ValueSpot> spots;
    const PointIndex index(model, snapshot.placement ? snapshot.placement->setup : QuantizerSetup{});
    const MeasuredValues measured(model, statistics);
    const auto add = [&](ValueId value, std::optional<PointId> point) {
        const bool isKnown = std::ranges::any_of(spots, [&](const ValueSpot& spot) { return spot.value == value; });
        if (!value.valid() || isKnown)
            return;
        const bool isWeight = point && snapshot.placement->setup.points.at(*point).isWeight;
        const bool isConstant = isWeight || isFloatConstant(model, value);
        const ValueSpot spot{value, point, isConstant};
        if (isConstant || statisticsAt(model, measured, spot))
            spots.push_back(spot);
    };
    const auto& inputs = model.node(node).inputs;
    for (std::uint32_t port = 0; port < inputs.size(); ++port)
        add(inputs[port], index.at(node, port));
    for (const ValueId output : model.node(node).outputs) {
        if (output.valid())
            add(output, index.onValue(output));
    }
    return spots;
}

std::optional<ValueSpot> spotOf(const Snapshot& snapshot, std::string_view name)
{
    const Model& model = *snapshot.model;
    const ValueId value = model.findValue(name);
    if (!value.valid())
        return std::nullopt;
    ValueSpot spot{value, std::nullopt, isFloatConstant(model, value)};
    if (!snapshot.placement)
        return spot;
    spot.point = PointIndex(model, snapshot.placement->setup).onValueOrRead(value);
    return spot;
}

Result<ValueFacts> factsOf(
    const Snapshot& snapshot, const Statistics& statistics, const Forecast& forecast, const ValueSpot& spot)
{
    if (spot.isConstant)
        return weightFacts(snapshot, forecast, spot);
    const Model& model = *snapshot.model;
    const QuantizationSettings& settings = snapshot.recipe.quantization;
    ValueFacts facts;
    facts.value = addressOf(model, spot.value);
    const ValueStatistics* found = statisticsAt(model, MeasuredValues(model, statistics), spot);
    if (!found)
        return Error{ErrorCode::BadData, "the statistics do not hold this value", facts.value, "measure again"};
    facts.statistics = std::make_shared<ValueStatistics>(*found);
    facts.point = spot.point;
    facts.config = usualConfig(snapshot.settings);
    const QuantizerForecast* quantizer = spot.point ? forecast.at(*spot.point) : nullptr;
    if (quantizer) {
        facts.config = snapshot.placement->setup.points.at(*spot.point).config;
        facts.used = quantizer->outcome;
        facts.rule = quantizer->rule;
        facts.sharedWith = othersWithTheScale(snapshot.placement->setup, *spot.point);
    }
    const bool isSymmetric = facts.config.mode == QuantizationMode::Symmetric;
    for (const RangeChoice& choice : rangeChoices(*found, isSymmetric, 1 << std::clamp(facts.config.numBits, 2, 16))) {
        if (auto outcome = outcomeOf(choice, *found, facts.config, settings))
            facts.choices.push_back(*std::move(outcome));
    }
    return facts;
}

} // namespace duo
