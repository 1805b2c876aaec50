// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/kept_sensitivity.h"

#include "core/pipeline/session_json.h"
#include "core/quantize/recipe/rule_json.h"
#include "core/support/enum_text.h"
#include "core/support/json.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "duoscope-sensitivity";
constexpr int kDeepest = 1000; // groups that are parts of one another
constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Numbers that JSON does not have.
constexpr std::array<std::pair<std::string_view, double>, 3> kNamedNumbers{
    {{"infinite", kInfinite}, {"-infinite", -kInfinite}, {"none", std::numeric_limits<double>::quiet_NaN()}}};

Json realJson(double value)
{
    if (std::isfinite(value))
        return value;
    return kNamedNumbers[std::isnan(value) ? 2 : value > 0 ? 0 : 1].first;
}

Status readReal(KeptFields& fields, const char* key, double& into)
{
    const Json* json = fields.keys().find(key);
    if (json == nullptr || !json->is_string())
        return fields.number(key, into);
    for (const auto& [name, value] : kNamedNumbers) {
        if (*json == name) {
            into = value;
            return success();
        }
    }
    return fields.wrong(key, "a number is expected");
}

void putIfThere(Json& json, const char* key, const std::optional<double>& value)
{
    if (value)
        json[key] = realJson(*value);
}

Status readIfThere(KeptFields& fields, const char* key, std::optional<double>& into)
{
    if (fields.keys().find(key) == nullptr)
        return success();
    double value = 0;
    DUO_CHECK(readReal(fields, key, value));
    into = value;
    return success();
}

Json outputJson(const OutputNoise& output)
{
    Json json{{"identical", output.identical}, {"compared", output.isCompared}};
    putIfThere(json, "sqnr_db", output.sqnrDb);
    putIfThere(json, "mse", output.mse);
    putIfThere(json, "equal", output.equal);
    putIfThere(json, "median_db", output.medianDb);
    putIfThere(json, "variation_db", output.variationDb);
    return json;
}

Status readOutput(KeptFields& fields, std::vector<OutputNoise>& outputs)
{
    OutputNoise& output = outputs.emplace_back();
    DUO_CHECK(fields.keys().flag("identical", output.identical));
    DUO_CHECK(fields.keys().flag("compared", output.isCompared));
    DUO_CHECK(readIfThere(fields, "sqnr_db", output.sqnrDb));
    DUO_CHECK(readIfThere(fields, "mse", output.mse));
    DUO_CHECK(readIfThere(fields, "equal", output.equal));
    DUO_CHECK(readIfThere(fields, "median_db", output.medianDb));
    return readIfThere(fields, "variation_db", output.variationDb);
}

Json errorJson(const MeasuredError& error)
{
    Json outputs = Json::array();
    for (const OutputNoise& output : error.outputs)
        outputs.push_back(outputJson(output));
    return {{"noise", realJson(error.noise)}, {"outputs", std::move(outputs)}};
}

/// @param outputs of the model
Status readError(JsonKeys& above, const char* key, std::size_t outputs, MeasuredError& error)
{
    DUO_TRY(fields, KeptFields::of(above, key));
    DUO_CHECK(readReal(fields, "noise", error.noise));
    DUO_CHECK(eachOf(fields.keys(), "outputs", [&](KeptFields& each) { return readOutput(each, error.outputs); }));
    return error.outputs.size() == outputs ? success()
                                           : Status(fields.wrong("outputs", "one for each output is expected"));
}

Json rulesJson(const std::vector<Rule>& rules)
{
    Json json = Json::array();
    for (const Rule& rule : rules)
        json.push_back(ruleJson(rule));
    return json;
}

Status readRules(KeptFields& fields, std::vector<Rule>& rules)
{
    const Json* list = fields.keys().find("rules");
    if (list == nullptr)
        return success();
    if (!list->is_array())
        return fields.wrong("rules", "a list is expected");
    for (std::size_t i = 0; i < list->size(); ++i) {
        DUO_TRY(rule, ruleFromJson((*list)[i], fields.keys().path("rules") + "[" + std::to_string(i) + "]"));
        rules.push_back(std::move(rule));
    }
    return success();
}

Json groupJson(const GroupSensitivity& group)
{
    Json json{{"kind", groupKindText(group.kind)}, {"name", group.name}, {"nodes", group.nodes}};
    if (group.partOf)
        json["part_of"] = *group.partOf;
    json["rules"] = rulesJson(group.rules);
    json["only"] = errorJson(group.only);
    json["all_but"] = errorJson(group.allBut);
    json["share_alone"] = realJson(group.shareAlone);
    json["share_taken"] = realJson(group.shareTaken);
    json["disagrees"] = group.disagrees;
    json["bytes"] = group.bytes;
    return json;
}

Status readGroup(KeptFields& fields, std::size_t outputs, std::vector<GroupSensitivity>& groups)
{
    GroupSensitivity& group = groups.emplace_back();
    std::string kind;
    DUO_CHECK(fields.keys().text("kind", kind));
    const auto known = enumFromText(groupKindText, GroupKind::Run, kind);
    if (!known)
        return fields.wrong("kind", "no kind of group that is known");
    group.kind = *known;
    DUO_CHECK(fields.keys().text("name", group.name));
    DUO_CHECK(fields.keys().texts("nodes", group.nodes));
    if (fields.keys().find("part_of") != nullptr) {
        std::int64_t whole = 0;
        DUO_CHECK(fields.integer("part_of", whole));
        group.partOf = static_cast<std::size_t>(whole); // checked once all are read
    }
    DUO_CHECK(readRules(fields, group.rules));
    DUO_CHECK(readError(fields.keys(), "only", outputs, group.only));
    DUO_CHECK(readError(fields.keys(), "all_but", outputs, group.allBut));
    DUO_CHECK(readReal(fields, "share_alone", group.shareAlone));
    DUO_CHECK(readReal(fields, "share_taken", group.shareTaken));
    DUO_CHECK(fields.keys().flag("disagrees", group.disagrees));
    return fields.integer("bytes", group.bytes);
}

/// Each is part of a group that is there, and none of itself.
bool areNested(const std::vector<GroupSensitivity>& groups)
{
    for (const GroupSensitivity& group : groups) {
        std::optional<std::size_t> whole = group.partOf;
        for (int depth = 0; whole; ++depth) {
            if (*whole >= groups.size() || depth == kDeepest)
                return false;
            whole = groups[*whole].partOf;
        }
    }
    return true;
}

Json suggestionJson(const FloatSuggestion& suggestion)
{
    Json json{{"groups", suggestion.groups}, {"rules", rulesJson(suggestion.rules)},
        {"error", errorJson(suggestion.error)}, {"bytes", suggestion.bytes},
        {"float_share", realJson(suggestion.floatShare)}, {"recommended", suggestion.isRecommended}};
    putIfThere(json, "agreement", suggestion.agreement);
    putIfThere(json, "speed", suggestion.speed);
    return json;
}

Status readSuggestion(KeptFields& fields, std::size_t outputs, std::vector<FloatSuggestion>& suggestions)
{
    FloatSuggestion& suggestion = suggestions.emplace_back();
    DUO_CHECK(fields.keys().texts("groups", suggestion.groups));
    if (suggestion.groups.empty())
        return fields.wrong("groups", "names of groups are expected");
    DUO_CHECK(readRules(fields, suggestion.rules));
    DUO_CHECK(readError(fields.keys(), "error", outputs, suggestion.error));
    DUO_CHECK(fields.integer("bytes", suggestion.bytes));
    DUO_CHECK(readReal(fields, "float_share", suggestion.floatShare));
    DUO_CHECK(fields.keys().flag("recommended", suggestion.isRecommended));
    DUO_CHECK(readIfThere(fields, "agreement", suggestion.agreement));
    return readIfThere(fields, "speed", suggestion.speed);
}

Json notesJson(const std::vector<Note>& notes)
{
    Json json = Json::array();
    for (const Note& note : notes)
        json.push_back({{"kind", note.kind}, {"text", note.text}, {"where", note.where}});
    return json;
}

Status readNote(KeptFields& fields, std::vector<Note>& notes)
{
    Note& note = notes.emplace_back();
    DUO_CHECK(fields.keys().text("kind", note.kind));
    DUO_CHECK(fields.keys().text("text", note.text));
    return fields.keys().text("where", note.where);
}

Json reportJson(const SensitivityReport& report)
{
    Json groups = Json::array();
    for (const GroupSensitivity& group : report.groups)
        groups.push_back(groupJson(group));
    Json suggestions = Json::array();
    for (const FloatSuggestion& suggestion : report.suggestions)
        suggestions.push_back(suggestionJson(suggestion));
    Json json{{"outputs", report.outputs}, {"samples", report.samples}, {"all", errorJson(report.all)},
        {"bytes", report.bytes}, {"groups", std::move(groups)}, {"suggestions", std::move(suggestions)},
        {"notes", notesJson(report.notes)}};
    putIfThere(json, "agreement", report.agreement);
    putIfThere(json, "speed", report.speed);
    return json;
}

Status readReport(JsonKeys& above, SensitivityReport& report)
{
    DUO_TRY(fields, KeptFields::of(above, "report"));
    JsonKeys& keys = fields.keys();
    DUO_CHECK(keys.texts("outputs", report.outputs));
    const std::size_t outputs = report.outputs.size();
    DUO_CHECK(fields.integer("samples", report.samples));
    if (report.samples < 1 || outputs == 0)
        return fields.wrong("samples", "a measurement of samples and outputs is expected");
    DUO_CHECK(readError(keys, "all", outputs, report.all));
    DUO_CHECK(fields.integer("bytes", report.bytes));
    DUO_CHECK(eachOf(keys, "groups", [&](KeptFields& each) { return readGroup(each, outputs, report.groups); }));
    if (!areNested(report.groups))
        return fields.wrong("groups", "parts of groups that are there are expected");
    DUO_CHECK(eachOf(
        keys, "suggestions", [&](KeptFields& each) { return readSuggestion(each, outputs, report.suggestions); }));
    DUO_CHECK(eachOf(keys, "notes", [&](KeptFields& each) { return readNote(each, report.notes); }));
    DUO_CHECK(readIfThere(fields, "agreement", report.agreement));
    return readIfThere(fields, "speed", report.speed);
}

/// @return InvalidRule: JsonKeys
Result<KeptSensitivity> readSensitivity(const Json& json, const Model& model, const ResultOrigin& present)
{
    KeptSensitivity kept;
    KeptFields fields(json, "");
    DUO_CHECK(readOrigin(fields.keys(), "of", kept.of));
    DUO_CHECK(checkKeptModel(fields, kept.of.model, model, present.model));
    if (kept.of.data != present.data)
        return fields.wrong("of", "this was measured with other data");
    DUO_CHECK(readRecipeText(fields.keys(), "recipe", kept.recipe));
    DUO_CHECK(readReport(fields.keys(), kept.report));
    return kept;
}

} // namespace

std::string keptSensitivityText(const KeptSensitivity& kept, const Model& model)
{
    const Json json{{"format", kFormat}, {"version", kKeptVersion}, {"of", originJson(kept.of)},
        {"nodes", nodesDigest(model)}, {"recipe", recipeText(kept.recipe)}, {"report", reportJson(kept.report)}};
    return jsonText(json) + "\n";
}

Result<KeptSensitivity> parseKeptSensitivity(
    std::string_view text, const Model& model, const ResultOrigin& present, const std::string& name)
{
    return parseKept(text, kFormat, "kept sensitivity", name,
        [&](const Json& json) { return readSensitivity(json, model, present); });
}

} // namespace duo
