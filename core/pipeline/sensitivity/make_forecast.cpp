// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/make_forecast.h"

#include "core/model/value_address.h"
#include "core/pipeline/calibration/corrections.h"
#include "core/pipeline/calibration/ranges.h"
#include "core/pipeline/sensitivity/foreseen_size.h"
#include "core/pipeline/snapshot/exported_edits.h"
#include "core/pipeline/snapshot/opened_model.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/setup_parameters.h"
#include "core/quantize/profiles/clamps.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace duo {
namespace {

/// Reads what `known` (may be null) does not hold already for the same model, port and parameters.
/// @return MalformedModel, Cancelled
Result<std::shared_ptr<const WeightErrors>> weightErrors(const std::shared_ptr<const Model>& model,
    const QuantizerSetup& setup, const ParametersByPoint& parameters, const WeightErrors* known, int threads,
    const JobContext& job)
{
    if (known && known->model != model)
        known = nullptr;
    auto all = std::make_shared<WeightErrors>();
    all->model = model;
    std::vector<PointId> missing;
    for (const auto& [id, point] : setup.points) {
        if (!point.isWeight)
            continue;
        const std::pair port(point.node, point.port.value_or(0));
        all->points.emplace(port, id);
        const auto before = known ? known->points.find(port) : all->points.end();
        const bool isKnown = known && before != known->points.end()
            && known->errors.at(before->second).parameters == parameters.at(id);
        if (isKnown)
            all->errors.emplace(id, known->errors.at(before->second));
        else
            missing.push_back(id);
    }
    std::vector<WeightErrors::Error> errors(missing.size());
    DUO_CHECK(parallelFor(missing.size(), threads, job, [&](std::size_t i) -> Status {
        const QuantizationPoint& point = setup.points.at(missing[i]);
        DUO_TRY(weight, readWeight(*model, point.node, point.port.value_or(0)));
        const QuantizationParameters& used = parameters.at(missing[i]);
        errors[i] = {used, weightError(weight, used), static_cast<std::int64_t>(weight.values.size())};
        return success();
    }));
    for (std::size_t i = 0; i < missing.size(); ++i)
        all->errors.emplace(missing[i], std::move(errors[i]));
    return std::shared_ptr<const WeightErrors>(std::move(all));
}

/// The named set (range_estimator.h) that says the same; "" for none.
std::string_view rangeEstimatorSetOf(const RangeEstimatorParameters& complete)
{
    std::string_view rest = rangeEstimatorSetNames();
    while (!rest.empty()) {
        const std::size_t end = rest.find(", ");
        const std::string_view name = rest.substr(0, end);
        if (rangeEstimatorSet(name) == complete)
            return name;
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
    }
    return {};
}

Range endsOf(const QuantizationParameters& parameters)
{
    Range all = codeEnds(parameters);
    for (std::size_t c = 1; c < parameters.scale.size(); ++c) {
        const Range ends = codeEnds(parameters, c);
        all = {std::min(all.min, ends.min), std::max(all.max, ends.max)};
    }
    return all;
}

/// Of scales per channel, whose ranges are the extremes: nothing is clipped, every channel loses a twelfth of its
/// squared scale.
RangeFit fitOf(const ValueStatistics& statistics, const RangeOutcome& outcome)
{
    const auto& scales = outcome.parameters.scale;
    if (scales.size() == 1)
        return gridFit(statistics, {outcome.ends.min, outcome.ends.max, scales.front()});
    RangeFit fit;
    for (const float scale : scales)
        fit.noise += static_cast<double>(scale) * scale / 12 / static_cast<double>(scales.size());
    const double power
        = statistics.finite() > 0 ? statistics.squares.value() / static_cast<double>(statistics.finite()) : 0;
    if (power > 0 && fit.noise > 0)
        fit.sqnrDb = 10 * std::log10(power / fit.noise);
    return fit;
}

class ForecastMaker
{
public:
    ForecastMaker(const Snapshot& snapshot, const MeasuredValues& measured, const SetupRanges& ranges,
        const EstimatorOfNode& estimators, const ParametersByPoint& parameters, const WeightErrors& weights)
        : m_snapshot(snapshot)
        , m_model(*snapshot.model)
        , m_measured(measured)
        , m_ranges(ranges)
        , m_estimators(estimators)
        , m_parameters(parameters)
        , m_weights(weights)
    {
    }

    std::shared_ptr<const Forecast> make() const
    {
        auto forecast = std::make_shared<Forecast>();
        const QuantizerSetup& setup = m_snapshot.placement->setup;
        forecast->samples = m_measured.statistics().samples();
        for (const auto& [id, point] : setup.points)
            forecast->quantizers.push_back(point.isWeight ? weight(id, point) : activation(id, point));
        const std::int64_t opened = openedBytes(m_snapshot);
        forecast->size = foreseenSize(m_snapshot).value_or(ForeseenSize{opened, opened});
        forecast->notes = m_ranges.notes;
        forecast->whyNoError = changesFloatModel(m_snapshot.settings)
            ? "the model is rescaled when it is quantized (SmoothQuant, cross-layer equalization); an export measures "
              "it"
            : "it takes samples";
        return forecast;
    }

private:
    QuantizerForecast activation(PointId id, const QuantizationPoint& point) const
    {
        QuantizerForecast quantizer{id, {}, pointText(m_model, point), false, m_estimators.ruleAt(point), {}};
        const ValueId value = pointValue(m_model, point);
        quantizer.value = value.valid() ? addressOf(m_model, value) : std::string();
        RangeOutcome& outcome = quantizer.outcome;
        outcome.estimator = rangeEstimatorSetOf(m_estimators.at(point));
        if (const auto range = m_ranges.byValue.find(quantizer.value); range != m_ranges.byValue.end())
            outcome.range = range->second.whole;
        outcome.parameters = m_parameters.at(id);
        outcome.ends = endsOf(outcome.parameters);
        if (const ValueStatistics* statistics = m_measured.of(behindClamps(m_model, value)))
            outcome.fit = fitOf(*statistics, outcome);
        return quantizer;
    }

    QuantizerForecast weight(PointId id, const QuantizationPoint& point) const
    {
        QuantizerForecast quantizer{id, {}, pointText(m_model, point), true, std::nullopt, {}};
        const ValueId source = weightSource(m_model, point.node, point.port.value_or(0));
        quantizer.value = source.valid() ? addressOf(m_model, source) : std::string();
        RangeOutcome& outcome = quantizer.outcome;
        outcome.parameters = m_parameters.at(id);
        outcome.ends = outcome.range = endsOf(outcome.parameters);
        const WeightErrors::Error& error = m_weights.errors.at(id);
        if (error.error.noise > 0 && error.error.signal > 0)
            outcome.fit.sqnrDb = 10 * std::log10(error.error.signal / error.error.noise);
        if (error.elements > 0)
            outcome.fit.noise = error.error.noise / static_cast<double>(error.elements);
        return quantizer;
    }

    const Snapshot& m_snapshot;
    const Model& m_model;
    const MeasuredValues& m_measured;
    const SetupRanges& m_ranges;
    const EstimatorOfNode& m_estimators;
    const ParametersByPoint& m_parameters;
    const WeightErrors& m_weights;
};

} // namespace

Result<MadeForecast> makeForecast(const Snapshot& snapshot, const Statistics& statistics, const WeightErrors* known,
    int threads, const JobContext& job)
{
    DUO_CHECK(snapshot.checkPlaced());
    const QuantizerSetup& setup = snapshot.placement->setup;
    DUO_TRY(estimators, EstimatorOfNode::of(snapshot));
    const MeasuredValues measured(*snapshot.model, statistics);
    DUO_TRY(ranges, rangesOf(snapshot, estimators, measured));
    DUO_TRY(parameters,
        setupParameters(*snapshot.model, setup, ranges.byValue, snapshot.recipe.quantization, threads, job));
    DUO_TRY(weights, weightErrors(snapshot.model, setup, parameters, known, threads, job));
    MadeForecast made;
    made.forecast = ForecastMaker(snapshot, measured, ranges, estimators, parameters, *weights).make();
    made.weights = std::move(weights);
    return made;
}

} // namespace duo
