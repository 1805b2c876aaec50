// SPDX-License-Identifier: Apache-2.0
#include "core/report/transform_report.h"

#include "core/report/inspect_report.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

Json nodesJson(const std::vector<TransformedNode>& nodes)
{
    Json json = Json::array();
    for (const TransformedNode& node : nodes) {
        json.push_back({{"node", node.name}, {"scope", node.scope}});
        if (!node.why.empty())
            json.back()["why"] = node.why;
    }
    return json;
}

/// "in decoder (12), encoder (3), 2 others": the outermost scopes with most of the nodes.
std::string placesText(const std::vector<TransformedNode>& nodes)
{
    constexpr std::size_t kShown = 3;
    std::map<std::string, std::size_t> counts;
    for (const TransformedNode& node : nodes)
        ++counts[node.scope.substr(0, node.scope.find('/'))];
    std::vector<std::pair<std::string, std::size_t>> sorted(counts.begin(), counts.end());
    std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string text;
    for (std::size_t i = 0; i < std::min(kShown, sorted.size()); ++i) {
        text += i == 0 ? " in " : ", ";
        text += (sorted[i].first.empty() ? "the model itself" : sorted[i].first) + " ("
            + std::to_string(sorted[i].second) + ")";
    }
    if (sorted.size() > kShown)
        text += ", " + std::to_string(sorted.size() - kShown) + " other scopes";
    return text;
}

std::string exactnessText(const PassReport& pass)
{
    if (pass.sqnrDb)
        return "; outputs keep " + fixedText(*pass.sqnrDb, 1) + " dB or more"
            + (pass.outputs.empty() ? std::string() : ", " + pass.outputs);
    if (!pass.outputs.empty())
        return "; outputs " + pass.outputs;
    return pass.isExact ? "" : "; outputs are the same to rounding";
}

/// Each reason with how many nodes it keeps.
std::string skippedText(const std::vector<TransformedNode>& nodes)
{
    std::map<std::string, std::size_t> counts;
    for (const TransformedNode& node : nodes)
        ++counts[node.why];
    std::string text;
    for (const auto& [why, count] : counts)
        text += "    not " + nodesText(count) + ": " + why + "\n";
    return text;
}

} // namespace

Json transformJson(const TransformReport& report, const WrittenFiles& written)
{
    Json passes = Json::array();
    for (const PassReport& pass : report.passes) {
        passes.push_back({{"id", pass.id}, {"version", pass.version}, {"does", pass.does}, {"exact", pass.isExact},
            {"applied", pass.applied.size()}, {"nodes", nodesJson(pass.applied)}, {"skipped", nodesJson(pass.skipped)},
            {"seconds", pass.seconds}});
        if (pass.sqnrDb)
            passes.back()["sqnr_db"] = *pass.sqnrDb;
        if (!pass.outputs.empty())
            passes.back()["outputs"] = pass.outputs;
        if (!pass.notRun.empty())
            passes.back()["not_run"] = pass.notRun;
    }
    Json files = Json::array();
    for (const auto& file : written.files)
        files.push_back(file.string());
    Json json{{"stage", report.target.empty() ? "common" : "target"}};
    if (!report.target.empty())
        json["profile"] = report.target;
    if (!report.opsetRead.empty())
        json["opset_read"] = report.opsetRead;
    if (!report.beyondTarget.empty())
        json["beyond_target"] = report.beyondTarget;
    json.update({{"nodes_before", report.nodesBefore}, {"nodes_after", report.nodesAfter}, {"kept", report.keptNodes},
        {"dequantizing", report.dequantizing}, {"kept_nothing", report.keptNothing}, {"settled", report.isSettled},
        {"passes", std::move(passes)}, {"files", std::move(files)}});
    return json;
}

std::string transformText(const TransformReport& report)
{
    std::string text = nodesText(report.nodesBefore) + " before, " + nodesText(report.nodesAfter) + " after"
        + (report.keptNodes > 0 ? ", " + countText(report.keptNodes) + " kept as they are" : "") + "\n";
    if (!report.opsetRead.empty())
        text += "  " + report.opsetRead + "\n";
    if (report.dequantizing > 0)
        text += "  " + nodesText(report.dequantizing)
            + " that turn constant codes into numbers: left by passes of stage common"
            + (report.target.empty() ? "" : ", not by those of " + report.target) + "\n";
    for (const std::string& sentence : report.keptNothing)
        text += "  kept nothing: " + sentence + "\n";
    for (const PassReport& pass : report.passes) {
        if (!pass.notRun.empty())
            text += "  " + pass.id + ": not run, " + pass.notRun + "\n";
        else if (!pass.applied.empty())
            text += "  " + pass.id + ": " + nodesText(pass.applied.size()) + placesText(pass.applied)
                + exactnessText(pass) + "\n";
        else if (!pass.skipped.empty())
            text += "  " + pass.id + ": nothing\n";
        text += skippedText(pass.skipped);
    }
    if (!report.isSettled)
        text += "  another run may find more: passes were ended after many rounds\n";
    return text;
}

} // namespace duo
