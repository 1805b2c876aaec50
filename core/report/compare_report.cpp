// SPDX-License-Identifier: Apache-2.0
#include "core/report/compare_report.h"

#include "core/report/inspect_report.h"
#include "core/report/report_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kWorstShown = 5;

Json differencesJson(const std::vector<ValueDifference>& differences)
{
    Json json = Json::array();
    for (const ValueDifference& value : differences)
        json.push_back({{"name", value.name}, {"sqnr_db", numberJson(value.sqnrDb)},
            {"cosine", numberJson(value.cosine)}, {"max_abs", numberJson(value.maxAbs)}, {"identical", value.identical},
            {"non_finite", value.nonFinite}, {"equal", numberJson(value.equal)}});
    return json;
}

Json latencyJson(const Latency& latency)
{
    const double ratio = latency.a / latency.b;
    return {{"a", latency.a}, {"b", latency.b}, {"ratio", std::isfinite(ratio) ? Json(ratio) : Json()},
        {"threads", latency.threads}, {"runs", latency.runs}};
}

std::string shortOrDash(const std::optional<double>& number)
{
    return number ? shortText(*number) : "-";
}

std::string sqnrText(const ValueDifference& value)
{
    if (value.identical)
        return "identical";
    if (value.equal)
        return fixedText(100 * *value.equal, 1) + " % eq.";
    return value.sqnrDb ? fixedText(*value.sqnrDb, 1) + " dB" : "not finite";
}

void appendDifferences(std::string& text, const std::string& title, const std::vector<ValueDifference>& differences)
{
    if (differences.empty())
        return;
    text += title + "\n    " + padded("sqnr", 10) + padded("cosine", 11) + padded("max abs", 11) + "  name\n";
    for (const ValueDifference& value : differences)
        text += "    " + padded(sqnrText(value), 10)
            + padded(value.cosine ? fixedText(*value.cosine, 6) : std::string("-"), 11)
            + padded(shortOrDash(value.maxAbs), 11) + "  " + value.name + "\n";
}

/// Not finite is worst, identical is none.
std::vector<ValueDifference> worstOf(std::vector<ValueDifference> values)
{
    constexpr double kWorst = -std::numeric_limits<double>::infinity();
    std::erase_if(values, [](const ValueDifference& value) { return value.identical; });
    std::ranges::stable_sort(
        values, {}, [kWorst](const ValueDifference& value) { return value.sqnrDb.value_or(kWorst); });
    values.resize(std::min(values.size(), kWorstShown));
    return values;
}

std::string sizeLine(const Comparison& comparison)
{
    std::string text = "size      " + bytesText(comparison.bytesA) + " and " + bytesText(comparison.bytesB);
    if (comparison.bytesB > 0)
        text += ", ratio "
            + fixedText(static_cast<double>(comparison.bytesA) / static_cast<double>(comparison.bytesB), 2);
    return text + "\n";
}

std::string latencyLine(const Latency& latency)
{
    std::string text = "latency   " + fixedText(latency.a, 3) + " ms and " + fixedText(latency.b, 3) + " ms";
    if (latency.b > 0)
        text += ", ratio " + fixedText(latency.a / latency.b, 2);
    return text + " (" + std::to_string(latency.threads) + " thread, median of " + std::to_string(latency.runs)
        + (latency.runs == 1 ? " run)\n" : " runs)\n");
}

std::string top1Line(const Top1& top1)
{
    return "top-1     " + fixedText(100 * top1.a, 2) + " % and " + fixedText(100 * top1.b, 2) + " %, the same class in "
        + fixedText(100 * top1.agreement, 2) + " % of " + std::to_string(top1.samples) + "\n";
}

} // namespace

Json compareJson(const Comparison& comparison)
{
    Json json = {{"outputs", differencesJson(comparison.outputs)}, {"values", differencesJson(comparison.values)},
        {"bytes", {{"a", comparison.bytesA}, {"b", comparison.bytesB}}},
        {"latency_ms", comparison.latency ? latencyJson(*comparison.latency) : Json()}};
    if (const auto& top1 = comparison.top1)
        json["top1"] = {{"a", top1->a}, {"b", top1->b}, {"agreement", top1->agreement}, {"samples", top1->samples}};
    json["samples"] = comparison.samples;
    json["findings"] = comparison.findings;
    json["notes"] = notesJson(comparison.notes);
    return json;
}

std::string compareText(const Comparison& comparison)
{
    std::string text = "samples   " + std::to_string(comparison.samples) + "\n" + sizeLine(comparison);
    if (comparison.latency)
        text += latencyLine(*comparison.latency);
    if (comparison.top1)
        text += top1Line(*comparison.top1);
    appendDifferences(text, "outputs", comparison.outputs);
    appendDifferences(
        text, "worst of " + std::to_string(comparison.values.size()) + " inner values", worstOf(comparison.values));
    if (!comparison.findings.empty())
        text += "findings\n";
    for (const std::string& finding : comparison.findings)
        text += "    " + finding + "\n";
    return text;
}

} // namespace duo
