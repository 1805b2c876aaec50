// SPDX-License-Identifier: Apache-2.0
#include "core/rules/write_rules.h"

#include "core/rules/lowered_rules.h"
#include "core/support/json_keys.h"

#include <nlohmann/json.hpp>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

/// JSON's spelling of a text is Python's too, as long as letters beyond ASCII stay as they are.
std::string pythonText(const std::string& text)
{
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string commentText(const std::string& comment)
{
    std::string line = comment.empty() ? "" : "  # " + comment;
    for (char& c : line) {
        if (static_cast<unsigned char>(c) < 0x20U)
            c = ' ';
    }
    return line;
}

template <typename Spell>
std::string pythonList(const std::vector<LoweredEntry>& entries, const std::string& indent, Spell spell)
{
    std::string text = "[\n";
    for (const LoweredEntry& entry : entries)
        text += indent + "    " + spell(entry.value) + "," + commentText(entry.comment) + "\n";
    return text + indent + "]";
}

std::string pythonTexts(const std::vector<std::string>& texts)
{
    std::string text = "[";
    for (const std::string& item : texts)
        text += (text.size() > 1 ? ", " : "") + pythonText(item);
    return text + "]";
}

std::string pythonField(const char* name, const std::vector<LoweredEntry>& entries)
{
    return entries.empty() ? "" : std::string("    ") + name + "=" + pythonList(entries, "    ", pythonText) + ",\n";
}

std::string nncfPython(const LoweredRules& lowered, bool validate)
{
    std::string fields = pythonField("names", lowered.names) + pythonField("patterns", lowered.patterns)
        + pythonField("types", lowered.types);
    if (!lowered.subgraphs.empty()) {
        fields += "    subgraphs=[\n";
        for (const Rule* rule : lowered.subgraphs)
            fields += "        nncf.Subgraph(inputs=" + pythonTexts(rule->inputs)
                + ", outputs=" + pythonTexts(rule->outputs) + "),\n";
        fields += "    ],\n";
    }
    if (!validate)
        fields += "    validate=False,\n";
    return fields.empty() ? "nncf.IgnoredScope()\n" : "nncf.IgnoredScope(\n" + fields + ")\n";
}

Json valuesJson(const std::vector<LoweredEntry>& entries)
{
    Json list = Json::array();
    for (const LoweredEntry& entry : entries)
        list.push_back(entry.value);
    return list;
}

void addValues(Json& object, const char* key, const std::vector<LoweredEntry>& entries)
{
    if (!entries.empty())
        object[key] = valuesJson(entries);
}

/// Unknown keys go back where they were: `inner` into the object named `key`, if there was one.
std::string jsonWith(Json fields, const char* key, const std::string& unknownKeys)
{
    const Json unknown = unknownKeys.empty() ? Json::object() : Json::parse(unknownKeys, nullptr, false);
    if (unknown.is_object() && unknown.contains(key) && unknown[key].is_object()) {
        Json whole = unknown;
        fields.update(unknown[key]);
        whole[key] = std::move(fields);
        fields = std::move(whole);
    } else {
        appendKeys(fields, unknownKeys);
    }
    return fields.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string nncfJson(const LoweredRules& lowered, bool validate, const std::string& unknownKeys)
{
    Json json = Json::object();
    addValues(json, "names", lowered.names);
    addValues(json, "patterns", lowered.patterns);
    addValues(json, "types", lowered.types);
    for (const Rule* rule : lowered.subgraphs) {
        Json ends{{"inputs", rule->inputs}, {"outputs", rule->outputs}};
        appendKeys(ends, rule->unknownKeys);
        json["subgraphs"].push_back(std::move(ends));
    }
    json["validate"] = validate;
    return jsonWith(std::move(json), "ignored_scope", unknownKeys);
}

std::string legacyJson(const LoweredRules& lowered, bool validate, const std::string& unknownKeys)
{
    Json json{{"ignored_scopes", valuesJson(lowered.names)}};
    addValues(json, "target_scopes", lowered.targets);
    if (!validate)
        json["validate_scopes"] = false;
    return jsonWith(std::move(json), "compression", unknownKeys);
}

std::string moduleText(const std::string& path)
{
    return path.empty() ? "model" : "model.get_submodule(" + pythonText(path) + ")";
}

std::string lines(const std::vector<LoweredEntry>& entries)
{
    std::string text;
    for (const LoweredEntry& entry : entries)
        text += entry.value + "\n";
    return text;
}

} // namespace

RulesText writeRules(const RuleSet& rules, RuleForm form, const RuleWriting& writing)
{
    LoweredRules lowered = lowerRules(rules, form, writing);
    const bool isJson = form == RuleForm::NncfJson || form == RuleForm::LegacyJson;
    if (!writing.unknownKeys.empty() && !isJson)
        lowered.losses.push_back({std::nullopt, "unknown keys are left out: " + writing.unknownKeys});
    RulesText result;
    switch (form) {
    case RuleForm::Recipe:
    case RuleForm::NncfPython:
        result.text = nncfPython(lowered, rules.validate);
        break;
    case RuleForm::NncfJson:
        result.text = nncfJson(lowered, rules.validate, writing.unknownKeys);
        break;
    case RuleForm::LegacyJson:
        result.text = legacyJson(lowered, rules.validate, writing.unknownKeys);
        break;
    case RuleForm::Ort:
        result.text = "nodes_to_exclude=" + pythonList(lowered.names, "", pythonText) + "\n";
        break;
    case RuleForm::Fsdp:
        result.text = "ignored_modules=" + pythonList(lowered.modules, "", moduleText) + "\n";
        break;
    case RuleForm::List:
        result.text = lines(lowered.names);
        break;
    }
    result.losses = std::move(lowered.losses);
    return result;
}

} // namespace duo
