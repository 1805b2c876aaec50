// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/rule_json.h"

#include "core/quantize/recipe/precision_json.h"
#include "core/support/json_keys.h"

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kActivations = "activations_quantization_params";
constexpr const char* kWeights = "weights_quantization_params";
constexpr const char* kFloatBits = "float_bits";

Status readEnds(JsonKeys& keys, const std::string& path, Rule& rule)
{
    DUO_CHECK(keys.texts("inputs", rule.inputs));
    DUO_CHECK(keys.texts("outputs", rule.outputs));
    if (rule.kind == RuleKind::Subgraph && (rule.inputs.empty() || rule.outputs.empty()))
        return invalidKey("a subgraph rule without inputs or outputs", path, "name nodes in both lists");
    return success();
}

Status readKinds(JsonKeys& keys, const std::string& path, Rule& rule)
{
    std::string action;
    std::string kind;
    DUO_CHECK(keys.text("action", action));
    DUO_CHECK(keys.text("kind", kind));
    if (keys.find("action") == nullptr)
        return invalidKey("a rule without action", path, "write \"action\": \"ignore\", \"target\" or \"precision\"");
    const auto knownAction = ruleActionFromText(action);
    if (!knownAction)
        return invalidKey("unknown action '" + action + "'", keys.path("action"), "write ignore, target or precision");
    const std::string kinds = "write name, pattern, type, subgraph, execution-scope, storage-scope or class";
    if (keys.find("kind") == nullptr)
        return invalidKey("a rule without kind", path, kinds);
    const auto knownKind = ruleKindFromText(kind);
    if (!knownKind)
        return invalidKey("unknown kind '" + kind + "'", keys.path("kind"), kinds);
    rule.action = *knownAction;
    rule.kind = *knownKind;
    return success();
}

Status readWishes(JsonKeys& keys, const std::string& path, Rule& rule)
{
    DUO_CHECK(readPrecision(keys, kActivations, rule.precision.activations));
    DUO_CHECK(readPrecision(keys, kWeights, rule.precision.weights));
    if (const Json* bits = keys.find(kFloatBits); bits != nullptr && !bits->is_null()) {
        const auto count = bits->is_number_integer() ? bits->get<std::int64_t>() : 0;
        if (count != 16 && count != 32)
            return invalidKey("not a number of bits of a float", keys.path(kFloatBits), "write 16 or 32");
        rule.precision.floatBits = static_cast<int>(count);
    }
    if (rule.precision == RulePrecision{})
        return invalidKey("a precision rule that wants nothing", path,
            "write activations_quantization_params, weights_quantization_params or float_bits");
    return success();
}

} // namespace

Json ruleJson(const Rule& rule)
{
    Json json{{"action", ruleActionText(rule.action)}, {"kind", ruleKindText(rule.kind)}};
    if (rule.kind == RuleKind::Subgraph) {
        json["inputs"] = rule.inputs;
        json["outputs"] = rule.outputs;
    } else {
        json["value"] = rule.value;
    }
    if (rule.precision.activations != PrecisionOverride{})
        json[kActivations] = precisionJson(rule.precision.activations);
    if (rule.precision.weights != PrecisionOverride{})
        json[kWeights] = precisionJson(rule.precision.weights);
    if (rule.precision.floatBits)
        json[kFloatBits] = *rule.precision.floatBits;
    json["enabled"] = rule.enabled;
    json["comment"] = rule.comment;
    if (!rule.origin.empty())
        json["origin"] = rule.origin;
    if (!rule.scope.empty())
        json["scope"] = rule.scope;
    if (!rule.nodes.empty())
        json["nodes"] = rule.nodes;
    appendKeys(json, rule.unknownKeys);
    return json;
}

Result<Rule> ruleFromJson(const Json& json, const std::string& path)
{
    if (!json.is_object())
        return invalidKey("not a rule", path, "write an object with action, kind and value");
    JsonKeys keys(json, path);
    Rule rule;
    DUO_CHECK(readKinds(keys, path, rule));
    DUO_CHECK(keys.text("value", rule.value));
    DUO_CHECK(readEnds(keys, path, rule));
    if (rule.action == RuleAction::Precision)
        DUO_CHECK(readWishes(keys, path, rule));
    DUO_CHECK(keys.flag("enabled", rule.enabled));
    DUO_CHECK(keys.text("comment", rule.comment));
    DUO_CHECK(keys.text("origin", rule.origin));
    DUO_CHECK(keys.text("scope", rule.scope));
    DUO_CHECK(keys.texts("nodes", rule.nodes));
    if (rule.kind != RuleKind::Subgraph && keys.find("value") == nullptr)
        return invalidKey("a rule without value", path, "write the value to match");
    rule.unknownKeys = keysText(keys.unknown());
    return rule;
}

} // namespace duo
