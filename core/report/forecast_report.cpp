// SPDX-License-Identifier: Apache-2.0
#include "core/report/forecast_report.h"

#include "core/report/inspect_report.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kBins = 64; // of a histogram in JSON
constexpr std::size_t kListed = 20; // quantizers in text

Json optionalJson(const std::optional<double>& number)
{
    return number && std::isfinite(*number) ? Json(*number) : Json();
}

std::string decibels(const std::optional<double>& sqnrDb)
{
    return sqnrDb ? fixedText(*sqnrDb, 1) + " dB" : "-";
}

std::string errorText(const OutputForecast& output)
{
    if (!output.isCompared)
        return "not compared: it is no tensor of numbers, the float model gives NaN, or its shape differs";
    if (output.isIdentical)
        return "identical";
    if (output.equal)
        return "about " + fixedText(100 * *output.equal, 1) + " % of the elements equal";
    return output.sqnrDb ? "about " + decibels(output.sqnrDb) : "not finite";
}

std::string padded(std::string text, std::size_t width)
{
    if (text.size() < width)
        text.append(width - text.size(), ' ');
    return text;
}

float largestScale(const QuantizationParameters& parameters)
{
    return *std::max_element(parameters.scale.begin(), parameters.scale.end());
}

Json outcomeJson(const RangeOutcome& outcome)
{
    return {{"estimator", outcome.estimator.empty() ? Json() : Json(outcome.estimator)}, {"min", outcome.range.min},
        {"max", outcome.range.max}, {"type", elementTypeName(outcome.parameters.type)},
        {"scale", largestScale(outcome.parameters)}, {"scales", outcome.parameters.scale.size()},
        {"zero_point", outcome.parameters.zeroPoint.front()}, {"lowest", outcome.ends.min},
        {"highest", outcome.ends.max}, {"clipped_share", outcome.fit.clippedShare},
        {"sqnr_db", optionalJson(outcome.fit.sqnrDb)}};
}

std::string outcomeText(const RangeOutcome& outcome)
{
    const std::string scales = outcome.parameters.scale.size() == 1
        ? ""
        : " (largest of " + std::to_string(outcome.parameters.scale.size()) + ")";
    return padded(shortText(outcome.range.min) + " to " + shortText(outcome.range.max), 24) + "  scale "
        + shortText(largestScale(outcome.parameters)) + scales + ", zero point "
        + std::to_string(outcome.parameters.zeroPoint.front()) + ", clipped "
        + shortText(100 * outcome.fit.clippedShare) + " %, " + decibels(outcome.fit.sqnrDb);
}

std::string nameOf(const RangeOutcome& outcome)
{
    return outcome.estimator.empty() ? "(own)" : outcome.estimator;
}

/// Least SQNR first; what has no noise last.
std::vector<const QuantizerForecast*> worstFirst(const Forecast& forecast)
{
    std::vector<const QuantizerForecast*> sorted;
    for (const QuantizerForecast& quantizer : forecast.quantizers)
        sorted.push_back(&quantizer);
    std::ranges::stable_sort(sorted, {}, [](const QuantizerForecast* quantizer) {
        return quantizer->outcome.fit.sqnrDb.value_or(std::numeric_limits<double>::infinity());
    });
    return sorted;
}

Json histogramJson(const ValueStatistics& statistics)
{
    const EvenHistogram histogram = evenHistogram(statistics, kBins);
    return {{"min", histogram.min}, {"width", histogram.width}, {"counts", histogram.counts}};
}

} // namespace

std::string codesText(const QuantizerConfig& config, const QuantizationParameters& parameters)
{
    std::string text(elementTypeName(parameters.type));
    text += config.mode == QuantizationMode::Symmetric ? " symmetric" : " asymmetric";
    if (parameters.block > 0)
        text += ", per block of " + std::to_string(parameters.block);
    else if (parameters.axis)
        text += ", per channel";
    return text;
}

std::size_t chosenRow(const ValueFacts& facts)
{
    if (!facts.used)
        return facts.choices.size();
    const auto found = std::ranges::find_if(facts.choices, [&](const RangeOutcome& choice) {
        return choice.estimator == facts.used->estimator && choice.parameters == facts.used->parameters;
    });
    return static_cast<std::size_t>(found - facts.choices.begin());
}

Json forecastJson(const Forecast& forecast)
{
    Json outputs = Json::array();
    for (const OutputForecast& output : forecast.outputs)
        outputs.push_back(
            {{"name", output.name}, {"sqnr_db", optionalJson(output.sqnrDb)}, {"identical", output.isIdentical}});
    Json quantizers = Json::array();
    for (const QuantizerForecast& quantizer : forecast.quantizers) {
        Json json{{"point", quantizer.point}, {"value", quantizer.value}, {"place", quantizer.place},
            {"weight", quantizer.isWeight}, {"rule", quantizer.rule ? Json(*quantizer.rule) : Json()}};
        json.update(outcomeJson(quantizer.outcome));
        quantizers.push_back(std::move(json));
    }
    return {{"samples", forecast.samples}, {"outputs", std::move(outputs)},
        {"error_not_known", forecast.whyNoError.empty() ? Json() : Json(forecast.whyNoError)},
        {"bytes_before", forecast.size.before}, {"bytes_after", forecast.size.after},
        {"quantizers", std::move(quantizers)}, {"notes", notesJson(forecast.notes)}};
}

std::string sizeForeseenText(const ForeseenSize& size)
{
    return "about " + bytesText(size.after) + " of " + bytesText(size.before)
        + (size.isBeforeHalving ? " before floats take 16 bits" : "");
}

std::string outputsForeseenText(const Forecast& forecast)
{
    if (!forecast.whyNoError.empty())
        return "error not known: " + forecast.whyNoError;
    if (const OutputForecast* worst = forecast.worstOutput(); worst != nullptr) {
        if (worst->equal)
            return fixedText(100 * *worst->equal, 1) + " % of the elements equal";
        return worst->sqnrDb ? decibels(worst->sqnrDb) : "an output that is not finite";
    }
    const bool isAnyCompared = std::ranges::any_of(forecast.outputs, &OutputForecast::isCompared);
    return isAnyCompared ? "outputs as they were" : "no output compared";
}

std::string forecastText(const Forecast& forecast)
{
    std::string text
        = "foreseen from statistics of " + counted(static_cast<std::size_t>(forecast.samples), "sample", "samples");
    if (forecast.outputSamples > 0)
        text += "; outputs over " + counted(static_cast<std::size_t>(forecast.outputSamples), "sample", "samples");
    text += "\n";
    for (const OutputForecast& output : forecast.outputs)
        text += "  output " + output.name + ": " + errorText(output) + "\n";
    if (!forecast.whyNoError.empty())
        text += "  error of the outputs: not known, " + forecast.whyNoError + "\n";
    text += "  size " + sizeForeseenText(forecast.size) + "\n";
    const auto sorted = worstFirst(forecast);
    text += countText(sorted.size()) + " quantizers" + (sorted.empty() ? "" : ", the noisiest first") + "\n";
    for (std::size_t i = 0; i < std::min(kListed, sorted.size()); ++i) {
        const QuantizerForecast& quantizer = *sorted[i];
        text += "  " + quantizer.value + (quantizer.isWeight ? " (weight)" : "") + ": "
            + (quantizer.isWeight ? "" : nameOf(quantizer.outcome) + " ") + outcomeText(quantizer.outcome) + "\n";
    }
    if (sorted.size() > kListed)
        text += "  and " + countText(sorted.size() - kListed) + " more\n";
    for (const Note& note : forecast.notes)
        text += "note: " + note.text + "\n";
    return text;
}

Json valueFactsJson(const ValueFacts& facts)
{
    const ValueStatistics& statistics = *facts.statistics;
    const bool isEmpty = statistics.finite() == 0;
    Json choices = Json::array();
    const std::size_t chosen = chosenRow(facts);
    for (std::size_t i = 0; i < facts.choices.size(); ++i) {
        Json choice = outcomeJson(facts.choices[i]);
        choice["chosen"] = i == chosen;
        choices.push_back(std::move(choice));
    }
    return {{"name", facts.value}, {"weight", facts.isWeight}, {"point", facts.point ? Json(*facts.point) : Json()},
        {"elements", statistics.elements}, {"nan", statistics.nan}, {"infinite", statistics.infinite},
        {"min", isEmpty ? Json() : Json(statistics.min)}, {"max", isEmpty ? Json() : Json(statistics.max)},
        {"mean", isEmpty ? Json() : Json(statistics.mean())}, {"histogram", histogramJson(statistics)},
        {"choices", std::move(choices)}, {"used", facts.used ? outcomeJson(*facts.used) : Json()},
        {"shared_with", facts.sharedWith}, {"rule", facts.rule ? Json(*facts.rule) : Json()}};
}

std::string valueFactsText(const ValueFacts& facts)
{
    const ValueStatistics& statistics = *facts.statistics;
    std::string text = facts.value + ": " + countText(statistics.elements) + " elements";
    if (statistics.finite() > 0)
        text += ", from " + shortText(statistics.min) + " to " + shortText(statistics.max) + ", mean "
            + shortText(statistics.mean());
    if (statistics.nonFinite() > 0)
        text += ", " + countText(statistics.nonFinite()) + " NaN or infinite";
    text += "\n";
    text += facts.used ? "  " + codesText(facts.config, facts.used->parameters) + "\n" : "  no quantizer stands here\n";
    const std::size_t chosen = chosenRow(facts);
    if (facts.used && chosen == facts.choices.size())
        text += "* " + padded(facts.isWeight ? "largest magnitude" : nameOf(*facts.used), 26) + outcomeText(*facts.used)
            + (facts.sharedWith > 0 ? ", shared with " + std::to_string(facts.sharedWith) + " more" : "") + "\n";
    for (std::size_t i = 0; i < facts.choices.size(); ++i)
        text += (i == chosen ? "* " : "  ") + padded(nameOf(facts.choices[i]), 26) + outcomeText(facts.choices[i])
            + "\n";
    return text;
}

} // namespace duo
