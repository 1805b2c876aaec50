// SPDX-License-Identifier: Apache-2.0
#include "core/report/verdict_report.h"

#include "core/analysis/error_start.h"
#include "core/report/inspect_report.h"
#include "core/report/note_groups.h"
#include "core/report/report_parts.h"
#include "core/support/enum_text.h"
#include "core/support/phrases.h"

#include <algorithm>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

Json outputJson(const JudgedOutput& output)
{
    const OutputMeasure& measure = output.measure;
    Json agreement;
    if (measure.predictions > 0 && (measure.areScores || measure.isDiscrete))
        agreement = static_cast<double>(measure.agreeing) / static_cast<double>(measure.predictions);
    return {{"name", measure.name}, {"good", output.isGood}, {"sqnr_db", numberJson(measure.sqnrDb)},
        {"cosine", numberJson(measure.cosine)}, {"identical", measure.identical}, {"agreement", std::move(agreement)},
        {"predictions", measure.predictions}, {"text", output.text}};
}

/// "nine in ten runs take 0.099 to 0.120 ms, in float 0.091 to 0.110 ms (1 thread, 463 runs in turns)"
std::string latencyLine(const Latency& latency)
{
    const auto span
        = [](double shortest, double most) { return fixedText(shortest, 3) + " to " + fixedText(most, 3) + " ms"; };
    return "nine in ten runs take " + span(latency.b, latency.mostB) + ", in float " + span(latency.a, latency.mostA)
        + " (" + counted(static_cast<std::size_t>(latency.threads), "thread", "threads") + ", "
        + counted(static_cast<std::size_t>(latency.runs), "run", "runs") + " in turns)";
}

Json latencyJson(const std::optional<Latency>& latency)
{
    if (!latency)
        return {};
    return {{"float_ms", latency->a}, {"int8_ms", latency->b}, {"float_ms_most", latency->mostA},
        {"int8_ms_most", latency->mostB}, {"threads", latency->threads}, {"runs", latency->runs}};
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

std::string_view startName(StartKind kind)
{
    static constexpr auto kNames = enumTexts<StartKind::Grows>({"starts", "jumps", "grows"});
    return enumText(kNames, kind);
}

std::string decibelsText(double decibels)
{
    return decibels > kNotFiniteDb ? fixedText(decibels, 1) + " dB" : "not finite";
}

std::optional<double> whereFinite(std::optional<double> decibels)
{
    return decibels && *decibels > kNotFiniteDb ? decibels : std::nullopt;
}

std::string startText(const ErrorStart& start)
{
    const std::string numbers = decibelsText(start.sqnrDb) + ", "
        + (start.inputDb ? decibelsText(*start.inputDb) + " before it" : "exact before it");
    const std::string place = "'" + start.value + "' (node '" + start.node + "')";
    if (start.kind == StartKind::Grows)
        return "error grows along the way, and is too large first at " + place + ": " + numbers;
    if (start.kind == StartKind::Jumps)
        return "error jumps at " + place + ": " + numbers + "; where it is made is not known";
    return "error starts at " + place + ": " + numbers
        + (start.magnifier.empty()
                ? std::string()
                : "; node '" + start.magnifier + "' magnifies it to " + decibelsText(start.magnifiedDb));
}

} // namespace

Json verdictJson(const Verdict& verdict)
{
    Json outputs = Json::array();
    for (const JudgedOutput& output : verdict.outputs)
        outputs.push_back(outputJson(output));
    Json starts = Json::array();
    for (const ErrorStart& start : verdict.starts)
        starts.push_back(
            {{"value", start.value}, {"node", start.node}, {"sqnr_db", numberJson(whereFinite(start.sqnrDb))},
                {"input_sqnr_db", numberJson(whereFinite(start.inputDb))}, {"kind", startName(start.kind)},
                {"magnified_by", start.magnifier.empty() ? Json() : Json(start.magnifier)}});
    Json suggested = Json::array();
    for (const SuggestedFloat& kept : verdict.suggested)
        suggested.push_back({{"name", kept.name}, {"kind", kept.isNode ? "node" : "scope"}});
    const Note* way = noteOf(verdict.notes, kWayOut);
    return {{"verdict", verdictName(verdict.kind)}, {"accepted", verdict.isAccepted()}, {"sentence", verdict.sentence},
        {"judged_bytes_before", verdict.bytesBefore}, {"judged_bytes_after", verdict.bytesAfter},
        {"samples", verdict.samples}, {"held_back", verdict.areHeldBack}, {"outputs", std::move(outputs)},
        {"latency", latencyJson(verdict.latency)}, {"quality", qualityJson(verdict.quality)},
        {"error_starts", std::move(starts)}, {"suggested_floats", std::move(suggested)},
        {"way_out", way == nullptr ? Json() : Json(way->text)}};
}

std::string verdictHeadline(const Verdict& verdict)
{
    return std::string(verdictName(verdict.kind)) + ": " + verdict.sentence;
}

std::string suggestionText(const Verdict& verdict)
{
    constexpr std::size_t kMost = 6; // named
    const std::size_t count = verdict.suggested.size();
    const std::size_t named = count <= kMost ? count : kMost / 2;
    std::string text;
    for (std::size_t i = 0; i < named; ++i)
        text += (i == 0 ? "'" : i + 1 == count ? " and '" : ", '") + verdict.suggested[i].name + "'";
    if (named < count)
        text += " and " + std::to_string(count - named) + " more";
    return count > 1 ? text + " together" : text;
}

std::vector<std::string> verdictLines(const Verdict& verdict)
{
    std::vector<std::string> lines;
    const Note* way = noteOf(verdict.notes, kWayOut);
    if (way != nullptr)
        lines.push_back("what to do: " + way->text);
    if (verdict.latency)
        lines.push_back(latencyLine(*verdict.latency));
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
    if (way == nullptr && !verdict.suggested.empty())
        lines.push_back("most would help: " + suggestionText(verdict) + " in float");
    return lines;
}

} // namespace duo
