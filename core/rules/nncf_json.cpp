// SPDX-License-Identifier: Apache-2.0
#include "core/rules/nncf_json.h"

#include "core/support/json.h"
#include "core/support/json_keys.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

class RulesReader
{
public:
    Result<ImportedRules> run(const Json& object)
    {
        DUO_TRY(rest, readObject(object, ""));
        m_read.unknown = std::move(rest);
        return std::move(m_read);
    }

    Result<ImportedRules> runAlgorithms(const Json& list)
    {
        DUO_TRY(rest, readAlgorithms(list, "compression"));
        m_read.unknown = {{"compression", std::move(rest)}};
        m_read.form = RuleForm::LegacyJson;
        return std::move(m_read);
    }

private:
    /// @return what is left of the object
    Result<Json> readObject(const Json& object, const std::string& path)
    {
        JsonKeys keys(object, path);
        DUO_CHECK(readFields(keys));
        DUO_CHECK(readLegacy(keys));
        DUO_CHECK(readLists(keys));
        const Json* scope = keys.find("ignored_scope");
        const Json* compression = keys.find("compression");
        const Json* passes = keys.find("passes");
        const Json* quant = keys.find("quant");
        Json rest = keys.unknown();
        if (scope != nullptr && !scope->is_null()) {
            if (!scope->is_object())
                return invalidKey("not an object", keys.path("ignored_scope"), "write names, patterns, types in it");
            JsonKeys inner(*scope, keys.path("ignored_scope"));
            DUO_CHECK(readFields(inner));
            if (Json left = inner.unknown(); !left.empty())
                rest["ignored_scope"] = std::move(left);
            m_read.form = RuleForm::NncfJson;
        }
        if (compression != nullptr) {
            DUO_TRY(left, readCompression(*compression, keys.path("compression")));
            if (!left.empty())
                rest["compression"] = std::move(left);
        }
        if (passes != nullptr) {
            DUO_TRY(left, readPasses(*passes, keys.path("passes")));
            if (!left.empty())
                rest["passes"] = std::move(left);
        }
        if (quant != nullptr) {
            DUO_TRY(left, readConfig(*quant, keys.path("quant")));
            if (!left.empty())
                rest["quant"] = std::move(left);
        }
        return rest;
    }

    /// Of Olive: by name, or a list of them under one. Those that quantize ONNX models by lists count, all others stay.
    Result<Json> readPasses(const Json& passes, const std::string& path)
    {
        if (!passes.is_object())
            return invalidKey("not an object", path, "write passes by name in it");
        Json rest = Json::object();
        for (const auto& [name, pass] : passes.items()) {
            const Json list = pass.is_array() ? pass : Json::array({pass});
            Json left = Json::array();
            for (std::size_t i = 0; i < list.size(); ++i) {
                const std::string at
                    = path + "." + name + (pass.is_array() ? "[" + std::to_string(i) + "]" : std::string());
                if (!isQuantizingPass(list[i])) {
                    left.push_back(list[i]);
                    continue;
                }
                DUO_TRY(others, readConfig(list[i], at));
                left.push_back(std::move(others));
            }
            addMember(rest, name, pass.is_array() ? std::move(left) : std::move(left.front()));
        }
        return rest;
    }

    static bool isQuantizingPass(const Json& pass)
    {
        static constexpr std::array<std::string_view, 3> kTypes{
            "onnxstaticquantization", "onnxdynamicquantization", "onnxquantization"};
        if (!pass.is_object() || !pass.contains("type") || !pass["type"].is_string())
            return false;
        std::string type = pass["type"].get<std::string>();
        std::ranges::transform(type, type.begin(), [](unsigned char c) { return std::tolower(c); });
        return std::ranges::find(kTypes, type) != kTypes.end();
    }

    /// A pass of Olive, or `quant` of winml-cli: their lists are those of ONNX Runtime's quantizer.
    /// @return what is left of it
    Result<Json> readConfig(const Json& config, const std::string& path)
    {
        if (config.is_null())
            return Json();
        if (!config.is_object())
            return invalidKey("not an object", path, "write lists of nodes and types in it");
        JsonKeys keys(config, path);
        DUO_CHECK(readLists(keys));
        return keys.unknown();
    }

    Result<Json> readCompression(const Json& json, const std::string& path)
    {
        if (json.is_array())
            return readAlgorithms(json, path);
        if (!json.is_object())
            return invalidKey("neither an object nor a list", path, "write an algorithm or a list of them");
        return readAlgorithm(json, path);
    }

    Result<Json> readAlgorithms(const Json& list, const std::string& path)
    {
        Json rest = Json::array();
        for (std::size_t i = 0; i < list.size(); ++i) {
            const std::string at = path + "[" + std::to_string(i) + "]";
            if (!list[i].is_object())
                return invalidKey("not an algorithm", at, "write an object");
            DUO_TRY(left, readAlgorithm(list[i], at));
            rest.push_back(std::move(left));
        }
        return rest;
    }

    Result<Json> readAlgorithm(const Json& object, const std::string& path)
    {
        const auto found = object.find("algorithm");
        const std::string name
            = found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
        if (name.empty() || name.find("quantization") != std::string::npos)
            return readObject(object, path);
        if (isRulesJson(object))
            m_read.notes.push_back(
                {"other-algorithm", "the scopes of algorithm '" + name + "' are kept and not used", path});
        return object;
    }

    void add(RuleAction action, RuleKind kind, std::vector<std::string> values)
    {
        for (std::string& value : values) {
            Rule rule;
            rule.action = action;
            rule.kind = kind;
            rule.value = std::move(value);
            m_read.rules.rules.push_back(std::move(rule));
        }
    }

    Status readFields(JsonKeys& keys)
    {
        constexpr std::array<std::pair<const char*, RuleKind>, 3> kFields{
            std::pair{"names", RuleKind::Name}, {"patterns", RuleKind::Pattern}, {"types", RuleKind::Type}};
        for (const auto& [key, kind] : kFields) {
            std::vector<std::string> values;
            DUO_CHECK(keys.textOrTexts(key, values));
            if (keys.find(key) != nullptr)
                m_read.form = RuleForm::NncfJson;
            add(RuleAction::Ignore, kind, std::move(values));
        }
        DUO_CHECK(readSubgraphs(keys));
        return keys.flag("validate", m_read.rules.validate);
    }

    Status readSubgraphs(JsonKeys& keys)
    {
        const Json* list = keys.find("subgraphs");
        if (list == nullptr || list->is_null())
            return success();
        m_read.form = RuleForm::NncfJson;
        if (!list->is_array())
            return invalidKey("not a list", keys.path("subgraphs"), "write a list of objects with inputs and outputs");
        for (std::size_t i = 0; i < list->size(); ++i) {
            const Json& item = (*list)[i];
            const std::string at = keys.path("subgraphs") + "[" + std::to_string(i) + "]";
            if (!item.is_object() || !item.contains("inputs") || !item.contains("outputs"))
                return invalidKey("not a subgraph", at, "write objects with inputs and outputs");
            JsonKeys ends(item, at);
            Rule rule;
            rule.kind = RuleKind::Subgraph;
            DUO_CHECK(ends.textOrTexts("inputs", rule.inputs));
            DUO_CHECK(ends.textOrTexts("outputs", rule.outputs));
            rule.unknownKeys = keysText(ends.unknown());
            m_read.rules.rules.push_back(std::move(rule));
        }
        return success();
    }

    Status readLegacy(JsonKeys& keys)
    {
        constexpr std::array<std::pair<const char*, RuleAction>, 2> kScopes{
            std::pair{"ignored_scopes", RuleAction::Ignore}, {"target_scopes", RuleAction::Target}};
        for (const auto& [key, action] : kScopes) {
            std::vector<std::string> texts;
            DUO_CHECK(keys.textOrTexts(key, texts));
            if (keys.find(key) != nullptr)
                m_read.form = RuleForm::LegacyJson;
            for (std::string& text : texts)
                m_read.rules.rules.push_back(legacyRule(std::move(text), action));
        }
        return keys.flag("validate_scopes", m_read.rules.validate);
    }

    Status readLists(JsonKeys& keys)
    {
        std::vector<std::string> excluded;
        std::vector<std::string> quantized;
        std::vector<std::string> types;
        std::vector<std::string> typesLeft;
        std::vector<std::string> modules;
        DUO_CHECK(keys.textOrTexts("nodes_to_exclude", excluded));
        DUO_CHECK(keys.textOrTexts("nodes_to_quantize", quantized));
        DUO_CHECK(keys.textOrTexts("op_types_to_quantize", types));
        if (types.empty()) // else they count, as for Olive
            DUO_CHECK(keys.textOrTexts("op_types_to_exclude", typesLeft));
        DUO_CHECK(keys.textOrTexts("ignored_modules", modules));
        if (!excluded.empty() || !quantized.empty() || !types.empty() || !typesLeft.empty())
            m_read.form = RuleForm::Ort;
        else if (!modules.empty())
            m_read.form = RuleForm::Fsdp;
        if (!quantized.empty() && !types.empty())
            m_read.notes.push_back({"either-instead-of-both",
                "ONNX Runtime quantizes nodes that are in both lists; target rules catch those in either",
                keys.path("nodes_to_quantize")});
        add(RuleAction::Ignore, RuleKind::Name, std::move(excluded));
        add(RuleAction::Target, RuleKind::Name, std::move(quantized));
        add(RuleAction::Target, RuleKind::Type, std::move(types));
        add(RuleAction::Ignore, RuleKind::Type, std::move(typesLeft));
        add(RuleAction::Ignore, RuleKind::StorageScope, std::move(modules));
        return success();
    }

    ImportedRules m_read;
};

} // namespace

bool isRulesJson(const Json& object)
{
    for (const char* key : {"names", "patterns", "types", "subgraphs", "ignored_scope", "ignored_scopes",
             "target_scopes", "compression", "nodes_to_exclude", "nodes_to_quantize", "op_types_to_quantize",
             "op_types_to_exclude", "ignored_modules"}) {
        if (object.contains(key))
            return true;
    }
    for (const char* key : {"passes", "quant"}) { // of Olive and winml-cli
        if (object.contains(key) && object[key].is_object())
            return true;
    }
    return false;
}

Result<ImportedRules> rulesFromJson(const Json& object)
{
    return RulesReader().run(object);
}

Result<ImportedRules> rulesFromJsonList(const Json& list)
{
    if (!list.empty() && list[0].is_object())
        return RulesReader().runAlgorithms(list);
    ImportedRules read;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!list[i].is_string())
            return invalidKey("not a name", "[" + std::to_string(i) + "]", "write a list of node names");
        Rule rule;
        rule.value = list[i].get<std::string>();
        read.rules.rules.push_back(std::move(rule));
    }
    return read;
}

} // namespace duo
