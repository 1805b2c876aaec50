// SPDX-License-Identifier: Apache-2.0
#include "core/report/export_report.h"

#include "core/analysis/fallback.h"
#include "core/report/inspect_report.h"
#include "core/report/verdict_report.h"
#include "core/support/enum_text.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

Json resultsJson(const std::vector<NodeRun>& results)
{
    Json json = Json::array();
    for (const NodeRun& run : results)
        json.push_back({{"node", run.node}, {"runs", runsAsText(run.runs)}, {"kernel", run.kernel},
            {"fallback", run.fallback ? fallbackName(*run.fallback) : ""}, {"reason", run.reason}});
    return json;
}

Json checksJson(const std::vector<Check>& checks)
{
    Json json = Json::array();
    for (const Check& check : checks) {
        json.push_back({{"id", check.id}, {"ok", check.ok}, {"message", check.message}, {"nodes", check.nodes}});
        if (!check.results.empty())
            json.back()["results"] = resultsJson(check.results);
    }
    return json;
}

/// Of outputs without a worst one.
std::string noWorstText(const std::vector<JudgedOutput>& outputs)
{
    if (outputs.empty())
        return "not measured";
    const std::size_t compared = comparedCount(outputs);
    return compared == outputs.size() ? "outputs are identical"
        : compared > 0                ? "compared outputs are identical"
                                      : "no output was compared";
}

std::string reasonAfter(const Check& check, const std::string& node)
{
    const auto run = std::ranges::find(check.results, node, &NodeRun::node);
    return run == check.results.end() || run->reason.empty() ? std::string() : ": " + run->reason;
}

void appendChecks(std::string& text, const std::vector<Check>& checks)
{
    constexpr std::size_t kShown = 5;
    for (const Check& check : checks) {
        text += std::string(check.ok ? "  ok      " : "  FAILED  ") + check.message + "\n";
        for (std::size_t i = 0; i < std::min(check.nodes.size(), kShown); ++i)
            text += "          " + check.nodes[i] + reasonAfter(check, check.nodes[i]) + "\n";
        if (check.nodes.size() > kShown)
            text += "          and " + countText(check.nodes.size() - kShown) + " more\n";
    }
}

Json correctionsJson(const std::vector<CorrectionMade>& corrections)
{
    Json json = Json::array();
    for (const CorrectionMade& made : corrections)
        json.push_back({{"kind", made.kind}, {"nodes", made.nodes}, {"skipped", made.skipped},
            {"largest", made.largest}, {"folded", made.folded}});
    return json;
}

Json keptJson(const std::vector<KeptNode>& kept)
{
    Json json = Json::array();
    for (const KeptNode& node : kept)
        json.push_back({{"node", node.node}, {"reason", node.reason}});
    return json;
}

/// By reason, the first nodes of each.
void appendKept(std::string& text, const std::vector<KeptNode>& kept)
{
    constexpr std::size_t kShown = 3;
    constexpr std::size_t kReasons = 8;
    std::map<std::string_view, std::vector<std::string_view>> byReason;
    for (const KeptNode& node : kept)
        byReason[node.reason].push_back(node.node);
    if (!kept.empty())
        text += "kept in float\n";
    std::size_t said = 0;
    for (const auto& [reason, nodes] : byReason) {
        if (++said > kReasons)
            break;
        text += "  ";
        for (std::size_t i = 0; i < std::min(nodes.size(), kShown); ++i)
            text += (i == 0 ? "" : ", ") + std::string(nodes[i]);
        text += (nodes.size() > kShown ? " and " + countText(nodes.size() - kShown) + " more: " : ": ")
            + std::string(reason) + "\n";
    }
    if (byReason.size() > kReasons)
        text += "  and more, for " + std::to_string(byReason.size() - kReasons) + " other reasons\n";
}

/// "72.0 kB -> 98.6 kB (1.37 x larger)".
std::string sizesText(std::int64_t before, std::int64_t after)
{
    const std::string text = bytesText(before) + " -> " + bytesText(after);
    return after > 0 ? text + " (" + sizeChangeText(before, after) + ")" : text;
}

void appendCorrections(std::string& text, const std::vector<CorrectionMade>& corrections)
{
    if (!corrections.empty())
        text += "corrections\n";
    for (const CorrectionMade& made : corrections)
        text += "  " + correctionText(made) + "\n";
}

} // namespace

std::string_view runsAsText(RunsAs runs)
{
    static constexpr auto kTexts = enumTexts<RunsAs::Gone>({"int8", "float", "gone"});
    return enumText(kTexts, runs);
}

bool ExportReport::allChecksPassed() const
{
    return std::ranges::all_of(checks, [](const Check& check) { return check.ok; });
}

ExportReport withChecks(ExportReport report, std::vector<Check> more)
{
    std::ranges::move(more, std::back_inserter(report.checks));
    const auto failed = std::ranges::find(report.checks, false, &Check::ok);
    if (failed == report.checks.end())
        return report;
    const bool isRefused = failed->id == "loads";
    report.verdict = isRefused ? refusedBy(std::move(report.verdict), failed->message)
                               : withFailedCheck(std::move(report.verdict), failed->message);
    return report;
}

Json exportJson(const ExportReport& report)
{
    Json seconds = Json::object();
    for (const auto& [stage, value] : report.seconds)
        seconds[stage] = value;
    Json outputs = Json::array();
    for (const OutputError& output : report.outputs)
        outputs.push_back({{"name", output.name}, {"sqnr_db", output.sqnrDb ? Json(*output.sqnrDb) : Json()},
            {"identical", output.identical}});
    Json files = Json::array();
    for (const auto& file : report.files)
        files.push_back(file.string());
    return {{"quantizers", report.quantizers}, {"bytes_before", report.bytesBefore}, {"bytes_after", report.bytesAfter},
        {"int8_share", report.int8Share}, {"ignored", report.ignoredNodes}, {"seconds", std::move(seconds)},
        {"verdict", verdictJson(report.verdict)}, {"checks", checksJson(report.checks)},
        {"outputs", std::move(outputs)}, {"corrections", correctionsJson(report.corrections)},
        {"kept_float", keptJson(report.keptFloat)}, {"files", std::move(files)}, {"defaults", report.defaults},
        {"notes", notesJson(report.notes)}};
}

std::string worstOutputText(const Verdict& verdict)
{
    const JudgedOutput* worst = worstOutput(verdict.outputs);
    if (worst == nullptr)
        return noWorstText(verdict.outputs);
    const OutputMeasure& measure = worst->measure;
    return measure.sqnrDb ? fixedText(*measure.sqnrDb, 1) + " dB at '" + measure.name + "'"
                          : "'" + measure.name + "' is " + worst->text;
}

std::string correctionText(const CorrectionMade& made)
{
    std::string text = made.kind + ": " + nodesText(made.nodes.size()) + " changed";
    if (!made.nodes.empty())
        text += made.kind == "bias-correction" ? ", largest shift " + fixedText(100 * made.largest, 1) + " % of a bias"
                                               : ", largest scale " + fixedText(made.largest, 2);
    if (made.folded != 0)
        text += ", " + countText(made.folded) + " folded into what comes before";
    if (!made.skipped.empty())
        text += ", " + std::to_string(made.skipped.size())
            + (made.skipped.size() == 1 ? " left as it is" : " left as they are");
    return text;
}

std::string exportText(const ExportReport& report)
{
    std::string text = "verdict         " + verdictHeadline(report.verdict) + "\n";
    for (const std::string& line : verdictLines(report.verdict))
        text += "                " + line + "\n";
    text += "size            " + sizesText(report.bytesBefore, report.bytesAfter);
    const Verdict& judged = report.verdict;
    if (judged.bytesAfter > 0 && (judged.bytesBefore != report.bytesBefore || judged.bytesAfter != report.bytesAfter))
        text += "\n                without the text of functions, as judged: "
            + sizesText(judged.bytesBefore, judged.bytesAfter);
    text += "\nin codes        " + fixedText(100 * report.int8Share, 1) + " % of the parameters, "
        + countText(report.quantizers) + " quantizers\nworst output    " + worstOutputText(report.verdict)
        + "\nignored nodes   " + countText(report.ignoredNodes) + "\nchecks\n";
    appendChecks(text, report.checks);
    appendKept(text, report.keptFloat);
    appendCorrections(text, report.corrections);
    text += "files\n";
    for (const auto& file : report.files)
        text += "  " + file.string() + "\n";
    if (!report.defaults.empty())
        text += "defaults used\n";
    for (const std::string& line : report.defaults)
        text += "  " + line + "\n";
    return text;
}

} // namespace duo
