// SPDX-License-Identifier: Apache-2.0
#include "core/report/verdict_report.h"

#include "core/report/inspect_report.h"

#include <algorithm>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

Json numberJson(const std::optional<double>& number)
{
    return number ? Json(*number) : Json();
}

Json outputJson(const JudgedOutput& output)
{
    const OutputMeasure& measure = output.measure;
    Json agreement;
    if (measure.predictions > 0)
        agreement = static_cast<double>(measure.agreeing) / static_cast<double>(measure.predictions);
    return {{"name", measure.name}, {"good", output.isGood}, {"sqnr_db", numberJson(measure.sqnrDb)},
        {"cosine", numberJson(measure.cosine)}, {"identical", measure.identical}, {"agreement", std::move(agreement)},
        {"predictions", measure.predictions}, {"text", output.text}};
}

Json latencyJson(const std::optional<Latency>& latency)
{
    if (!latency)
        return {};
    return {{"float_ms", latency->a}, {"int8_ms", latency->b}, {"threads", latency->threads}, {"runs", latency->runs}};
}

Json qualityJson(const std::optional<QualityMeasure>& quality)
{
    if (!quality)
        return {};
    return {{"what", quality->what}, {"float", quality->before}, {"int8", quality->after}};
}

std::string samplesText(const Verdict& verdict)
{
    const std::string count = std::to_string(verdict.samples) + (verdict.samples == 1 ? " sample" : " samples");
    return "errors are of " + count
        + (verdict.areHeldBack ? " that were not calibrated with"
                               : ", also calibrated with: the data hold no others known to be unused");
}

std::string startText(const ErrorStart& start)
{
    return "error starts at '" + start.value + "' (node '" + start.node + "'): " + fixedText(start.sqnrDb, 1) + " dB, "
        + (start.inputDb ? fixedText(*start.inputDb, 1) + " dB before it" : "exact before it");
}

} // namespace

Json verdictJson(const Verdict& verdict)
{
    Json outputs = Json::array();
    for (const JudgedOutput& output : verdict.outputs)
        outputs.push_back(outputJson(output));
    Json starts = Json::array();
    for (const ErrorStart& start : verdict.starts)
        starts.push_back({{"value", start.value}, {"node", start.node}, {"sqnr_db", start.sqnrDb},
            {"input_sqnr_db", numberJson(start.inputDb)}});
    return {{"verdict", verdictName(verdict.kind)}, {"accepted", verdict.isAccepted()}, {"sentence", verdict.sentence},
        {"samples", verdict.samples}, {"held_back", verdict.areHeldBack}, {"outputs", std::move(outputs)},
        {"latency", latencyJson(verdict.latency)}, {"quality", qualityJson(verdict.quality)},
        {"error_starts", std::move(starts)},
        {"suggested_scope", verdict.suggestedScope ? Json(*verdict.suggestedScope) : Json()}};
}

std::string verdictHeadline(const Verdict& verdict)
{
    return std::string(verdictName(verdict.kind)) + ": " + verdict.sentence;
}

std::vector<std::string> verdictLines(const Verdict& verdict)
{
    std::vector<std::string> lines;
    if (verdict.latency)
        lines.push_back("one run takes " + fixedText(verdict.latency->b, 3) + " ms, in float "
            + fixedText(verdict.latency->a, 3) + " ms (1 thread, shortest of " + std::to_string(verdict.latency->runs)
            + (verdict.latency->runs == 1 ? " run)" : " runs in turns)"));
    if (!verdict.outputs.empty())
        lines.push_back(samplesText(verdict));
    constexpr std::size_t kShown = 5;
    std::size_t bad = 0;
    for (const JudgedOutput& output : verdict.outputs) {
        if (!output.isGood && ++bad <= kShown)
            lines.push_back("output '" + output.measure.name + "': " + output.text);
    }
    if (bad > kShown)
        lines.push_back("and " + std::to_string(bad - kShown) + " more outputs");
    for (const ErrorStart& start : verdict.starts)
        lines.push_back(startText(start));
    if (verdict.suggestedScope)
        lines.push_back("most would help: '" + *verdict.suggestedScope + "' in float");
    return lines;
}

} // namespace duo
