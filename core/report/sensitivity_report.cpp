// SPDX-License-Identifier: Apache-2.0
#include "core/report/sensitivity_report.h"

#include "core/analysis/verdict.h"
#include "core/report/inspect_report.h"
#include "core/report/report_parts.h"
#include "core/support/enum_text.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kGroupsShown = 20;

constexpr double kPartsThatMatter = 0.5; // of the parts, and the scope is kept whole

using Indices = std::vector<std::size_t>;

/// How many of the parts, worst first, make up most of what their scope is.
std::size_t partsThatMatter(const std::vector<GroupSensitivity>& groups, const Indices& parts)
{
    constexpr double kMost = 0.8;
    double sum = 0;
    for (const std::size_t part : parts)
        sum += std::max(0.0, groups[part].score());
    double taken = 0;
    std::size_t count = 0;
    for (; count < parts.size() && taken < kMost * sum; ++count)
        taken += std::max(0.0, groups[parts[count]].score());
    return count;
}

/// The group, or those of its parts that stand for it.
void appendChosen(const std::vector<GroupSensitivity>& groups, const std::vector<Indices>& partsOf, std::size_t index,
    Indices& chosen)
{
    const Indices& parts = partsOf[index];
    const auto matter = static_cast<double>(partsThatMatter(groups, parts));
    if (parts.empty() || matter > kPartsThatMatter * static_cast<double>(parts.size())) {
        if (groups[index].score() > 0)
            chosen.push_back(index);
        return;
    }
    for (const std::size_t part : parts)
        appendChosen(groups, partsOf, part, chosen);
}

Json outputsJson(const MeasuredError& error, const std::vector<std::string>& names)
{
    Json outputs = Json::array();
    for (std::size_t i = 0; i < error.outputs.size(); ++i) {
        const OutputNoise& output = error.outputs[i];
        outputs.push_back({{"name", names[i]}, {"sqnr_db", numberJson(output.sqnrDb)}, {"mse", numberJson(output.mse)},
            {"identical", output.identical && output.isCompared}, {"equal", numberJson(output.equal)}});
    }
    return outputs;
}

Json errorJson(const MeasuredError& error, const std::vector<std::string>& names)
{
    return {{"sqnr_db", numberJson(error.worstSqnrDb())}, {"outputs", outputsJson(error, names)}};
}

Json rulesJson(const std::vector<Rule>& rules)
{
    Json json = Json::array();
    for (const Rule& rule : rules)
        json.push_back(
            {{"action", ruleActionText(rule.action)}, {"kind", ruleKindText(rule.kind)}, {"value", rule.value}});
    return json;
}

Json groupsJson(const SensitivityReport& report)
{
    Json json = Json::array();
    for (const GroupSensitivity& group : report.groups)
        json.push_back({{"kind", groupKindText(group.kind)}, {"name", group.name}, {"nodes", group.nodes},
            {"part_of", group.partOf ? Json(report.groups[*group.partOf].name) : Json()}, {"score", group.score()},
            {"share_alone", group.shareAlone}, {"share_taken", group.shareTaken}, {"disagrees", group.disagrees},
            {"only", errorJson(group.only, report.outputs)}, {"all_but", errorJson(group.allBut, report.outputs)},
            {"bytes", group.bytes}, {"rules", rulesJson(group.rules)}});
    return json;
}

/// Every node with what is known of it: of the smallest group it was measured in.
Json nodesJson(const SensitivityReport& report)
{
    std::map<std::string_view, const GroupSensitivity*> smallest;
    for (const GroupSensitivity& group : report.groups) {
        for (const std::string& node : group.nodes) {
            const GroupSensitivity*& known = smallest[node];
            if (known == nullptr || group.nodes.size() < known->nodes.size())
                known = &group;
        }
    }
    Json json = Json::array();
    for (const auto& [node, group] : smallest)
        json.push_back({{"name", node}, {"group", group->name}, {"score", group->score()},
            {"sqnr_db", numberJson(group->only.worstSqnrDb())}});
    return json;
}

Json suggestionsJson(const SensitivityReport& report)
{
    Json json = Json::array();
    for (const FloatSuggestion& suggestion : report.suggestions)
        json.push_back({{"keep_in_float", suggestion.groups}, {"rules", rulesJson(suggestion.rules)},
            {"sqnr_db", numberJson(suggestion.error.worstSqnrDb())},
            {"outputs", outputsJson(suggestion.error, report.outputs)}, {"agreement", numberJson(suggestion.agreement)},
            {"bytes", suggestion.bytes}, {"speed", numberJson(suggestion.speed)},
            {"float_share", suggestion.floatShare}, {"recommended", suggestion.isRecommended}});
    return json;
}

std::string shareText(double share)
{
    return fixedText(100 * share, 1) + " %";
}

/// Against the float model.
std::string speedText(const std::optional<double>& speed)
{
    return speed ? fixedText(*speed, 2) + " x" : "-";
}

std::string shownName(const GroupSensitivity& group)
{
    const std::string name = group.name.empty() ? "(all)" : group.name;
    const std::string nodes = group.kind == GroupKind::Node ? std::string("node") : nodesText(group.nodes.size());
    return name + "  (" + nodes + (group.disagrees ? "; both ways disagree)" : ")");
}

void appendGroups(std::string& text, const SensitivityReport& report)
{
    text += "most sensitive first; alone: only it quantized; without: all but it quantized\n    " + padded("alone", 11)
        + padded("without", 11) + padded("noise alone", 13) + padded("noise taken", 13) + padded("in float", 11) + "\n";
    for (std::size_t i = 0; i < std::min(report.groups.size(), kGroupsShown); ++i) {
        const GroupSensitivity& group = report.groups[i];
        text += "    " + padded(measuredErrorText(group.only), 11) + padded(measuredErrorText(group.allBut), 11)
            + padded(shareText(group.shareAlone), 13) + padded(shareText(group.shareTaken), 13)
            + padded("+" + bytesText(group.bytes), 11) + "  " + shownName(group) + "\n";
    }
    if (report.groups.size() > kGroupsShown)
        text += "    and " + std::to_string(report.groups.size() - kGroupsShown) + " less sensitive ones\n";
}

void appendSuggestions(std::string& text, const SensitivityReport& report)
{
    if (report.suggestions.empty())
        return;
    text += "keep these in float, each line with those above it (*: recommended)\n    " + padded("sqnr", 11)
        + padded("agreement", 11) + padded("size", 11) + padded("speed", 9) + padded("in float", 11) + "\n";
    for (const FloatSuggestion& suggestion : report.suggestions)
        text += "  " + std::string(suggestion.isRecommended ? "* " : "  ")
            + padded(measuredErrorText(suggestion.error), 11)
            + padded(suggestion.agreement ? shareText(*suggestion.agreement) : std::string("-"), 11)
            + padded(bytesText(suggestion.bytes), 11) + padded(speedText(suggestion.speed), 9)
            + padded(shareText(suggestion.floatShare), 11) + "  " + suggestion.groups.back() + "\n";
}

} // namespace

std::string_view groupKindText(GroupKind kind)
{
    return enumText(enumTexts<GroupKind::Run>({"scope", "node", "run"}), kind);
}

bool comesBefore(const GroupSensitivity& a, const GroupSensitivity& b)
{
    return a.score() != b.score() ? a.score() > b.score() : a.name < b.name;
}

std::vector<std::size_t> floatOrder(const std::vector<GroupSensitivity>& ranked)
{
    std::vector<Indices> partsOf(ranked.size());
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        if (ranked[i].partOf)
            partsOf[*ranked[i].partOf].push_back(i);
    }
    Indices chosen;
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        if (!ranked[i].partOf)
            appendChosen(ranked, partsOf, i, chosen);
    }
    std::ranges::sort(chosen); // the ranking
    return chosen;
}

double MeasuredError::decibels() const
{
    double worst = std::numeric_limits<double>::infinity();
    for (const OutputNoise& output : outputs) {
        if (output.equal)
            continue;
        if (!output.sqnrDb && !output.identical)
            return -std::numeric_limits<double>::infinity();
        worst = std::min(worst, output.sqnrDb.value_or(worst));
    }
    return worst;
}

double MeasuredError::level() const
{
    double worst = decibels();
    const VerdictBounds& bounds = verdictBounds();
    for (const OutputNoise& output : outputs) {
        worst = std::min(worst, -10 * std::log10(1 - output.equal.value_or(1)));
        worst = std::min(worst, output.medianDb.value_or(HUGE_VAL) + bounds.goodDb - bounds.leastDb);
        worst = std::min(worst, output.variationDb.value_or(HUGE_VAL) + bounds.goodDb - bounds.leastVariationDb);
    }
    return worst;
}

std::string levelText(const MeasuredError& error)
{
    const double level = error.level();
    const VerdictBounds& bounds = verdictBounds();
    for (const OutputNoise& output : error.outputs) {
        if (output.variationDb && *output.variationDb + bounds.goodDb - bounds.leastVariationDb == level)
            return fixedText(*output.variationDb, 1) + " dB of what differs between samples";
        if (output.medianDb && *output.medianDb + bounds.goodDb - bounds.leastDb == level)
            return fixedText(*output.medianDb, 1) + " dB in the sample in the middle";
        if (output.equal && *output.equal < 1 && -10 * std::log10(1 - *output.equal) == level)
            return fixedText(100 * *output.equal, 1) + " % equal";
    }
    return measuredErrorText(error);
}

std::string measuredErrorText(const MeasuredError& error)
{
    if (const auto worst = error.worstSqnrDb())
        return fixedText(*worst, 1) + " dB";
    if (std::isinf(error.decibels()) && error.decibels() < 0)
        return "not finite";
    double equal = 1;
    for (const OutputNoise& output : error.outputs)
        equal = std::min(equal, output.equal.value_or(1));
    return equal < 1 ? fixedText(100 * equal, 1) + " % equal" : "identical";
}

std::optional<double> MeasuredError::worstSqnrDb() const
{
    const double worst = decibels();
    return std::isfinite(worst) ? std::optional(worst) : std::nullopt;
}

Json sensitivityJson(const SensitivityReport& report)
{
    Json all = errorJson(report.all, report.outputs);
    all["agreement"] = numberJson(report.agreement);
    all["bytes"] = report.bytes;
    all["speed"] = numberJson(report.speed);
    return {{"samples", report.samples}, {"all", std::move(all)}, {"groups", groupsJson(report)},
        {"nodes", nodesJson(report)}, {"suggestions", suggestionsJson(report)}, {"notes", notesJson(report.notes)}};
}

std::string sensitivityText(const SensitivityReport& report)
{
    std::string text
        = "samples         " + std::to_string(report.samples) + "\nall quantized   " + measuredErrorText(report.all);
    if (report.agreement)
        text += ", " + shareText(*report.agreement) + " of the predictions agree";
    text += ", " + bytesText(report.bytes);
    text += report.speed ? ", " + speedText(report.speed) + " as fast as float\n" : "\n";
    appendGroups(text, report);
    appendSuggestions(text, report);
    return text;
}

} // namespace duo
