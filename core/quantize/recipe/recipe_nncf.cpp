// SPDX-License-Identifier: Apache-2.0
// NNCF's JSON forms of rules: IgnoredScope fields, and the legacy ignored_scopes and target_scopes strings.
#include "core/quantize/recipe/recipe_json.h"

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

Error invalid(const std::string& what, const std::string& name, const std::string& key, const std::string& todo)
{
    return {ErrorCode::InvalidRule, what, name + " " + key, todo};
}

/// A text or a list of texts, as NNCF's legacy form allows.
Result<std::vector<std::string>> textsOf(const Json& json, const std::string& name, const std::string& key)
{
    if (json.is_string())
        return std::vector<std::string>{json.get<std::string>()};
    if (!json.is_array())
        return invalid("not a list", name, key, "write a list of texts");
    std::vector<std::string> texts;
    for (const Json& item : json) {
        if (!item.is_string())
            return invalid("not text", name, key, "write a list of texts");
        texts.push_back(item.get<std::string>());
    }
    return texts;
}

Status addTexts(const Json& json, const std::string& name, const char* key, RuleKind kind, RuleSet& rules)
{
    const auto found = json.find(key);
    if (found == json.end())
        return success();
    DUO_TRY(texts, textsOf(*found, name, key));
    for (std::string& text : texts) {
        Rule rule;
        rule.kind = kind;
        rule.value = std::move(text);
        rules.rules.push_back(std::move(rule));
    }
    return success();
}

Status addSubgraphs(const Json& json, const std::string& name, RuleSet& rules)
{
    const auto found = json.find("subgraphs");
    if (found == json.end())
        return success();
    if (!found->is_array())
        return invalid("not a list", name, "subgraphs", "write a list of objects with inputs and outputs");
    for (const Json& item : *found) {
        if (!item.is_object() || !item.contains("inputs") || !item.contains("outputs"))
            return invalid("not a subgraph", name, "subgraphs", "write objects with inputs and outputs");
        Rule rule;
        rule.kind = RuleKind::Subgraph;
        DUO_TRY(inputs, textsOf(item["inputs"], name, "subgraphs.inputs"));
        DUO_TRY(outputs, textsOf(item["outputs"], name, "subgraphs.outputs"));
        rule.inputs = std::move(inputs);
        rule.outputs = std::move(outputs);
        rules.rules.push_back(std::move(rule));
    }
    return success();
}

/// "{re}X" searched anywhere: as a pattern anchored at the start it is "(?s:.*?)(?:X)".
Rule legacyRule(std::string text, RuleAction action)
{
    Rule rule;
    rule.action = action;
    bool isPattern = false;
    for (std::size_t at = text.find("{re}"); at != std::string::npos; at = text.find("{re}")) {
        text.erase(at, 4);
        isPattern = true;
    }
    rule.kind = isPattern ? RuleKind::Pattern : RuleKind::Name;
    rule.value = isPattern ? "(?s:.*?)(?:" + text + ")" : text;
    return rule;
}

Status addLegacy(const Json& json, const std::string& name, const char* key, RuleAction action, RuleSet& rules)
{
    const auto found = json.find(key);
    if (found == json.end())
        return success();
    DUO_TRY(texts, textsOf(*found, name, key));
    for (std::string& text : texts)
        rules.rules.push_back(legacyRule(std::move(text), action));
    return success();
}

Status readFlag(const Json& json, const std::string& name, const char* key, bool& into)
{
    const auto found = json.find(key);
    if (found == json.end())
        return success();
    if (!found->is_boolean())
        return invalid("not true or false", name, key, "write true or false");
    into = found->get<bool>();
    return success();
}

std::string unknownKeys(const Json& json)
{
    Json rest = Json::object();
    for (const auto& [key, value] : json.items()) {
        if (key != "names" && key != "patterns" && key != "types" && key != "subgraphs" && key != "validate"
            && key != "ignored_scopes" && key != "target_scopes" && key != "validate_scopes")
            rest[key] = value;
    }
    return rest.empty() ? std::string() : rest.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

bool isNncfForm(const Json& json)
{
    if (json.contains("format"))
        return false;
    for (const char* key : {"names", "patterns", "types", "subgraphs", "ignored_scopes", "target_scopes"}) {
        if (json.contains(key))
            return true;
    }
    return false;
}

Result<Recipe> recipeFromNncf(const Json& json, const std::string& name)
{
    Recipe recipe;
    DUO_CHECK(addTexts(json, name, "names", RuleKind::Name, recipe.rules));
    DUO_CHECK(addTexts(json, name, "patterns", RuleKind::Pattern, recipe.rules));
    DUO_CHECK(addTexts(json, name, "types", RuleKind::Type, recipe.rules));
    DUO_CHECK(addSubgraphs(json, name, recipe.rules));
    DUO_CHECK(addLegacy(json, name, "ignored_scopes", RuleAction::Ignore, recipe.rules));
    DUO_CHECK(addLegacy(json, name, "target_scopes", RuleAction::Target, recipe.rules));
    DUO_CHECK(readFlag(json, name, "validate", recipe.rules.validate));
    DUO_CHECK(readFlag(json, name, "validate_scopes", recipe.rules.validate));
    recipe.unknownKeys = unknownKeys(json);
    return recipe;
}

} // namespace duo
