// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/recipe_json.h"

#include <array>
#include <set>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 2> kPresets{"performance", "mixed"};
constexpr std::array<std::string_view, 4> kDevices{"ANY", "CPU", "GPU", "NPU"};
constexpr std::array<std::string_view, 2> kModelTypes{"none", "transformer"};
constexpr std::array<std::string_view, 3> kOverflowFixes{"disable", "enable", "first_layer_only"};

Error invalid(const std::string& what, const std::string& name, const std::string& key, const std::string& todo)
{
    return {ErrorCode::InvalidRule, what, name + " " + key, todo};
}

template <std::size_t N> std::string choices(const std::array<std::string_view, N>& texts)
{
    std::string list;
    for (const auto text : texts)
        list += (list.empty() ? "" : ", ") + std::string(text);
    return "write one of " + list;
}

/// Reads keys of one JSON object and remembers which were known.
class Reader
{
public:
    Reader(const Json& object, std::string name, std::string at)
        : m_object(object)
        , m_name(std::move(name))
        , m_at(std::move(at))
    {
    }

    Status text(const char* key, std::string& into)
    {
        return take(key, &Json::is_string, "text", [&](const Json& v) { into = v.get<std::string>(); });
    }
    Status flag(const char* key, bool& into)
    {
        return take(key, &Json::is_boolean, "true or false", [&](const Json& v) { into = v.get<bool>(); });
    }
    Status texts(const char* key, std::vector<std::string>& into)
    {
        const Json* value = find(key);
        if (value == nullptr)
            return success();
        if (!value->is_array())
            return invalid("not a list", m_name, m_at + key, "write a list of texts");
        for (const Json& item : *value) {
            if (!item.is_string())
                return invalid("not text", m_name, m_at + key, "write a list of texts");
            into.push_back(item.get<std::string>());
        }
        return success();
    }
    template <typename E, std::size_t N>
    Status choice(const char* key, const std::array<std::string_view, N>& texts, std::optional<E>& into)
    {
        const Json* value = find(key);
        if (value == nullptr || value->is_null())
            return success();
        for (std::size_t i = 0; value->is_string() && i < N; ++i) {
            if (value->get<std::string>() == texts[i]) {
                into = static_cast<E>(i);
                return success();
            }
        }
        return invalid("unknown value " + value->dump(-1, ' ', true, Json::error_handler_t::replace), m_name,
            m_at + key, choices(texts));
    }
    const Json* find(const char* key)
    {
        m_known.insert(key);
        const auto found = m_object.find(key);
        return found == m_object.end() ? nullptr : &*found;
    }
    /// JSON text of the keys nobody asked for; "" if there are none.
    [[nodiscard]] std::string unknown() const
    {
        Json rest = Json::object();
        for (const auto& [key, value] : m_object.items()) {
            if (!m_known.contains(key))
                rest[key] = value;
        }
        return rest.empty() ? std::string() : rest.dump(-1, ' ', false, Json::error_handler_t::replace);
    }

private:
    template <typename Store>
    Status take(const char* key, bool (Json::*isRight)() const noexcept, const char* wanted, Store store)
    {
        const Json* value = find(key);
        if (value == nullptr)
            return success();
        if (!(value->*isRight)())
            return invalid(std::string("not ") + wanted, m_name, m_at + key, std::string("write ") + wanted);
        store(*value);
        return success();
    }

    const Json& m_object;
    std::string m_name;
    std::string m_at;
    std::set<std::string> m_known;
};

void appendUnknown(Json& object, const std::string& unknownKeys)
{
    if (unknownKeys.empty())
        return;
    const Json rest = Json::parse(unknownKeys, nullptr, false);
    if (rest.is_object())
        object.update(rest);
}

Result<Rule> ruleFromJson(const Json& json, const std::string& name, const std::string& at)
{
    if (!json.is_object())
        return invalid("not a rule", name, at, "write an object with action, kind and value");
    Reader reader(json, name, at + ".");
    Rule rule;
    std::string action = "ignore";
    std::string kind;
    DUO_CHECK(reader.text("action", action));
    DUO_CHECK(reader.text("kind", kind));
    DUO_CHECK(reader.text("value", rule.value));
    DUO_CHECK(reader.texts("inputs", rule.inputs));
    DUO_CHECK(reader.texts("outputs", rule.outputs));
    DUO_CHECK(reader.flag("enabled", rule.enabled));
    DUO_CHECK(reader.text("comment", rule.comment));
    const auto knownAction = ruleActionFromText(action);
    const auto knownKind = ruleKindFromText(kind);
    if (!knownAction)
        return invalid("unknown action '" + action + "'", name, at, "write ignore or target");
    if (!knownKind)
        return invalid("unknown kind '" + kind + "'", name, at,
            "write name, pattern, type, subgraph, execution-scope, storage-scope or class");
    rule.action = *knownAction;
    rule.kind = *knownKind;
    if (rule.kind == RuleKind::Subgraph && (rule.inputs.empty() || rule.outputs.empty()))
        return invalid("a subgraph rule without inputs or outputs", name, at, "name nodes in both lists");
    if (rule.kind != RuleKind::Subgraph && !json.contains("value"))
        return invalid("a rule without value", name, at, "write the value to match");
    rule.unknownKeys = reader.unknown();
    return rule;
}

Json ruleJson(const Rule& rule)
{
    Json json{{"action", ruleActionText(rule.action)}, {"kind", ruleKindText(rule.kind)}};
    if (rule.kind == RuleKind::Subgraph) {
        json["inputs"] = rule.inputs;
        json["outputs"] = rule.outputs;
    } else {
        json["value"] = rule.value;
    }
    json["enabled"] = rule.enabled;
    json["comment"] = rule.comment;
    appendUnknown(json, rule.unknownKeys);
    return json;
}

Result<QuantizationSettings> settingsFromJson(const Json& json, const std::string& name)
{
    if (!json.is_object())
        return invalid("not settings", name, "quantization", "write an object");
    Reader reader(json, name, "quantization.");
    QuantizationSettings settings;
    constexpr std::array<std::string_view, 4> kProfiles{"ort-cpu", "tensorrt", "openvino", "qnn"};
    std::optional<Profile> profile;
    std::optional<TargetDevice> device;
    std::optional<ModelType> modelType;
    DUO_CHECK(reader.choice("profile", kProfiles, profile));
    DUO_CHECK(reader.flag("nncf_compatible", settings.nncfCompatible));
    DUO_CHECK(reader.choice("preset", kPresets, settings.preset));
    DUO_CHECK(reader.choice("target_device", kDevices, device));
    DUO_CHECK(reader.choice("model_type", kModelTypes, modelType));
    DUO_CHECK(reader.flag("quantize_outputs", settings.quantizeOutputs));
    DUO_CHECK(reader.choice("overflow_fix", kOverflowFixes, settings.overflowFix));
    if (const Json* size = reader.find("subset_size"); size != nullptr && !size->is_null()) {
        if (!size->is_number_integer() || size->get<std::int64_t>() < 1 || size->get<std::int64_t>() > 1'000'000'000)
            return invalid("not a count", name, "quantization.subset_size", "write a whole number from 1");
        settings.subsetSize = size->get<int>();
    }
    settings.profile = profile.value_or(Profile::OrtCpu);
    settings.targetDevice = device.value_or(TargetDevice::Any);
    settings.modelType = modelType.value_or(ModelType::None);
    settings.unknownKeys = reader.unknown();
    return settings;
}

Json settingsJson(const QuantizationSettings& settings)
{
    Json json{{"profile", profileText(settings.profile)}, {"nncf_compatible", settings.nncfCompatible}};
    if (settings.preset)
        json["preset"] = kPresets[static_cast<std::size_t>(*settings.preset)];
    json["target_device"] = kDevices[static_cast<std::size_t>(settings.targetDevice)];
    if (settings.modelType != ModelType::None)
        json["model_type"] = kModelTypes[static_cast<std::size_t>(settings.modelType)];
    if (settings.overflowFix)
        json["overflow_fix"] = kOverflowFixes[static_cast<std::size_t>(*settings.overflowFix)];
    if (settings.subsetSize)
        json["subset_size"] = *settings.subsetSize;
    json["quantize_outputs"] = settings.quantizeOutputs;
    appendUnknown(json, settings.unknownKeys);
    return json;
}

} // namespace

Json recipeJson(const Recipe& recipe)
{
    Json rules = Json::array();
    for (const Rule& rule : recipe.rules.rules)
        rules.push_back(ruleJson(rule));
    Json json{{"format", "duoscope-recipe"}, {"version", 1}, {"rules", rules}, {"validate", recipe.rules.validate},
        {"quantization", settingsJson(recipe.quantization)}};
    appendUnknown(json, recipe.unknownKeys);
    return json;
}

Result<Recipe> recipeFromJson(const Json& json, const std::string& name)
{
    Reader reader(json, name, "");
    Recipe recipe;
    std::string format;
    DUO_CHECK(reader.text("format", format));
    if (format != "duoscope-recipe")
        return invalid("not a recipe", name, "format", "write \"format\": \"duoscope-recipe\"");
    const Json* version = reader.find("version");
    if (version == nullptr || !version->is_number_integer() || version->get<std::int64_t>() != 1)
        return invalid("unknown recipe version", name, "version", "write \"version\": 1, or use a newer Duoscope");
    DUO_CHECK(reader.flag("validate", recipe.rules.validate));
    if (const Json* rules = reader.find("rules"); rules != nullptr) {
        if (!rules->is_array())
            return invalid("not a list", name, "rules", "write a list of rules");
        for (std::size_t i = 0; i < rules->size(); ++i) {
            DUO_TRY(rule, ruleFromJson((*rules)[i], name, "rules[" + std::to_string(i) + "]"));
            recipe.rules.rules.push_back(std::move(rule));
        }
    }
    if (const Json* quantization = reader.find("quantization"); quantization != nullptr) {
        DUO_TRY(settings, settingsFromJson(*quantization, name));
        recipe.quantization = std::move(settings);
    }
    recipe.unknownKeys = reader.unknown();
    return recipe;
}

} // namespace duo
