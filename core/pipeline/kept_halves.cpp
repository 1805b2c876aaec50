// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/kept_halves.h"

#include "core/pipeline/session_json.h"
#include "core/support/json.h"

#include <cmath>
#include <limits>
#include <utility>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "duoscope-halves";

Json nodesJson(const std::vector<TransformedNode>& nodes)
{
    Json json = Json::array();
    for (const TransformedNode& node : nodes) {
        json.push_back({{"name", node.name}, {"scope", node.scope}});
        if (!node.why.empty())
            json.back()["why"] = node.why;
    }
    return json;
}

Status readNodes(JsonKeys& keys, const char* key, std::vector<TransformedNode>& nodes)
{
    return eachOf(keys, key, [&](KeptFields& each) -> Status {
        TransformedNode& node = nodes.emplace_back();
        DUO_CHECK(each.keys().text("name", node.name));
        DUO_CHECK(each.keys().text("scope", node.scope));
        return each.keys().text("why", node.why);
    });
}

Json reportJson(const PassReport& report)
{
    Json json{{"id", report.id}, {"version", report.version}, {"does", report.does}, {"exact", report.isExact},
        {"not_run", report.notRun}, {"outputs", report.outputs}, {"seconds", report.seconds},
        {"applied", nodesJson(report.applied)}, {"skipped", nodesJson(report.skipped)}};
    if (report.sqnrDb && std::isfinite(*report.sqnrDb))
        json["sqnr_db"] = *report.sqnrDb;
    return json;
}

Status readReport(JsonKeys& above, PassReport& report)
{
    DUO_TRY(fields, KeptFields::of(above, "report"));
    JsonKeys& keys = fields.keys();
    std::optional<int> version;
    DUO_CHECK(keys.text("id", report.id));
    DUO_CHECK(keys.count("version", std::numeric_limits<int>::max(), version));
    report.version = version.value_or(1);
    DUO_CHECK(keys.text("does", report.does));
    DUO_CHECK(keys.flag("exact", report.isExact));
    DUO_CHECK(keys.text("not_run", report.notRun));
    DUO_CHECK(keys.text("outputs", report.outputs));
    DUO_CHECK(fields.number("seconds", report.seconds));
    DUO_CHECK(fields.numberIfThere("sqnr_db", report.sqnrDb));
    DUO_CHECK(readNodes(keys, "applied", report.applied));
    DUO_CHECK(readNodes(keys, "skipped", report.skipped));
    const bool isEmpty = report.applied.empty() && report.skipped.empty();
    return isEmpty ? Status(fields.wrong("applied", "names of nodes are expected")) : success();
}

/// @return InvalidRule: JsonKeys
Result<KeptHalves> readHalves(const Json& json, const Model& model, const FileStamp& stamp)
{
    KeptHalves kept;
    KeptFields fields(json, "");
    FileStamp of;
    DUO_CHECK(readStamp(fields.keys(), "model", of));
    DUO_CHECK(checkKeptModel(fields, of, model, stamp));
    DUO_CHECK(readRecipeText(fields.keys(), "recipe", kept.recipe));
    DUO_CHECK(readReport(fields.keys(), kept.report));
    return kept;
}

} // namespace

std::string keptHalvesText(const KeptHalves& kept, const Model& model, const FileStamp& stamp)
{
    const Json json{{"format", kFormat}, {"version", kKeptVersion}, {"model", stampJson(stamp)},
        {"nodes", nodesDigest(model)}, {"recipe", recipeText(kept.recipe)}, {"report", reportJson(kept.report)}};
    return jsonText(json) + "\n";
}

Result<KeptHalves> parseKeptHalves(
    std::string_view text, const Model& model, const FileStamp& stamp, const std::string& name)
{
    return parseKept(
        text, kFormat, "half precision", name, [&](const Json& json) { return readHalves(json, model, stamp); });
}

} // namespace duo
