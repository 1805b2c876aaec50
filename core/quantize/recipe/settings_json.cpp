// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/settings_json.h"

#include "core/quantize/recipe/nncf_parameters.h"
#include "core/quantize/recipe/precision_json.h"
#include "core/quantize/recipe/setting_choices.h"
#include "core/support/result.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

Error invalid(const std::string& what, const std::string& at, const std::string& todo)
{
    return {ErrorCode::InvalidRule, what, at, todo};
}

std::string shown(const Json& json)
{
    return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

constexpr const char* kStatistics = "write one of max, min, abs_max, quantile, abs_quantile, mean, raw";
constexpr const char* kAggregators = "write one of mean, max, min, median, mean_no_outliers, median_no_outliers, "
                                     "histogram, moving_average, percentile, mse, entropy";

template <typename E, typename FromText>
Status choice(
    const Json& json, const FromText& fromText, const std::string& at, const char* choices, std::optional<E>& into)
{
    if (json.is_null())
        return success();
    into = json.is_string() ? fromText(json.get<std::string>()) : std::nullopt;
    return into ? success() : Status(invalid("unknown value " + shown(json), at, choices));
}

Result<CollectorParameters> collectorFromJson(const Json& json, const std::string& at)
{
    if (!json.is_object())
        return invalid("not an object", at, "write statistics_type and aggregator_type");
    CollectorParameters side;
    for (const auto& [key, value] : json.items()) {
        const std::string here = at + "." + key;
        if (key == "statistics_type") {
            DUO_CHECK(choice(value, statisticsTypeFromText, here, kStatistics, side.statisticsType));
        } else if (key == "aggregator_type") {
            DUO_CHECK(choice(value, aggregatorTypeFromText, here, kAggregators, side.aggregatorType));
        } else if (key == "clipping_value") {
            if (!value.is_null() && !value.is_number())
                return invalid("not a number", here, "write a number or null");
            if (!value.is_null())
                side.clippingValue = value.get<double>();
        } else if (key == "quantile_outlier_prob") {
            if (!value.is_number() || !(value.get<double>() >= 0) || !(value.get<double>() < 0.5))
                return invalid("not a share", here, "write a number from 0 to below 0.5");
            side.quantileOutlierProb = value.get<double>();
        } else {
            return invalid(
                "unknown key", here, "write statistics_type, aggregator_type, clipping_value or quantile_outlier_prob");
        }
    }
    return side;
}

Json collectorJson(const CollectorParameters& side)
{
    Json json = Json::object();
    if (side.statisticsType)
        json["statistics_type"] = statisticsTypeText(*side.statisticsType);
    if (side.aggregatorType)
        json["aggregator_type"] = aggregatorTypeText(*side.aggregatorType);
    if (side.clippingValue)
        json["clipping_value"] = *side.clippingValue;
    json["quantile_outlier_prob"] = side.quantileOutlierProb;
    return json;
}

/// `"MEAN_MINMAX"` or {"min": {"statistics_type", "aggregator_type", "clipping_value", "quantile_outlier_prob"},
/// "max"}.
/// @param at path of `json`; @return InvalidRule, `where` being the path of the key
Result<RangeEstimatorParameters> rangeEstimatorFromJson(const Json& json, const std::string& at)
{
    if (json.is_string()) {
        const auto set = rangeEstimatorSet(json.get<std::string>());
        if (!set)
            return invalid("unknown value " + shown(json), at,
                "write one of " + std::string(rangeEstimatorSetNames()) + ", or an object with min and max");
        return *set;
    }
    if (!json.is_object())
        return invalid("not a range estimator", at, "write the name of a set, or an object with min and max");
    RangeEstimatorParameters parameters;
    for (const auto& [key, value] : json.items()) {
        if (key != "min" && key != "max")
            return invalid("unknown key", at + "." + key, "write min and max");
        DUO_TRY(side, collectorFromJson(value, at + "." + key));
        (key == "min" ? parameters.min : parameters.max) = side;
    }
    return parameters;
}

Result<EstimatorRule> estimatorRuleFromJson(const Json& json, const std::string& at)
{
    const auto isText = [&](const char* key) { return json.contains(key) && json[key].is_string(); };
    if (!json.is_object() || !isText("kind") || !isText("value")
        || !json.contains("activations_range_estimator_params"))
        return invalid("not an estimator rule", at, "write kind, value and activations_range_estimator_params");
    EstimatorRule rule;
    const auto kind = ruleKindFromText(json["kind"].get<std::string>());
    if (!kind || *kind == RuleKind::Subgraph)
        return invalid("unknown kind " + shown(json["kind"]), at,
            "write name, pattern, type, execution-scope, storage-scope or class");
    rule.rule.action = RuleAction::Target;
    rule.rule.kind = *kind;
    rule.rule.value = json["value"].get<std::string>();
    DUO_TRY(activations,
        rangeEstimatorFromJson(json["activations_range_estimator_params"], at + ".activations_range_estimator_params"));
    rule.activations = activations;
    return rule;
}

Json rangeEstimatorJson(const RangeEstimatorParameters& parameters)
{
    return {{"min", collectorJson(parameters.min)}, {"max", collectorJson(parameters.max)}};
}

/// [{"kind", "value", "activations_range_estimator_params"}]: what a rule of that kind and value catches.
Result<std::vector<EstimatorRule>> estimatorRulesFromJson(const Json& json, const std::string& at)
{
    if (!json.is_array())
        return invalid("not a list", at, "write a list of estimator rules");
    std::vector<EstimatorRule> rules;
    for (std::size_t i = 0; i < json.size(); ++i) {
        DUO_TRY(rule, estimatorRuleFromJson(json[i], at + "[" + std::to_string(i) + "]"));
        rules.push_back(std::move(rule));
    }
    return rules;
}

Json estimatorRulesJson(const std::vector<EstimatorRule>& rules)
{
    Json json = Json::array();
    for (const EstimatorRule& rule : rules)
        json.push_back({{"kind", ruleKindText(rule.rule.kind)}, {"value", rule.rule.value},
            {"activations_range_estimator_params", rangeEstimatorJson(rule.activations)}});
    return json;
}

bool isSet(const Json* json)
{
    return json != nullptr && !json->is_null();
}

Status readFlag(JsonKeys& keys, const char* key, std::optional<bool>& into)
{
    const Json* json = keys.find(key);
    if (!isSet(json))
        return success();
    if (!json->is_boolean())
        return invalidKey("not true or false", keys.path(key), "write true or false, or leave it out");
    into = json->get<bool>();
    return success();
}

Status readNumber(JsonKeys& keys, const char* key, std::optional<double>& into)
{
    const Json* json = keys.find(key);
    if (!isSet(json))
        return success();
    if (!json->is_number() || !std::isfinite(json->get<double>()))
        return invalidKey("not a number", keys.path(key), "write a number, or leave it out");
    into = json->get<double>();
    return success();
}

/// The object at a key, read by `read`; other keys in it are refused.
template <typename Read> Status readObject(JsonKeys& keys, const char* key, const char* wanted, const Read& read)
{
    const Json* json = keys.find(key);
    if (!isSet(json))
        return success();
    if (!json->is_object())
        return invalidKey("not an object", keys.path(key), "write an object, or leave it out");
    JsonKeys inner(*json, keys.path(key));
    DUO_CHECK(read(inner));
    const Json rest = inner.unknown();
    return rest.empty() ? success() : invalidKey("unknown key", inner.path(rest.begin().key()), wanted);
}

/// NNCF refuses apply_for_all_nodes with fast correction; here only nodes with a bias are ever corrected.
Status readBiasParameters(JsonKeys& keys, CorrectionSettings& corrections)
{
    std::optional<bool> all;
    DUO_CHECK(readFlag(keys, "apply_for_all_nodes", all));
    if (all.value_or(false))
        return invalidKey("nodes without a bias cannot be corrected", keys.path("apply_for_all_nodes"),
            "write false, or leave it out");
    DUO_CHECK(readNumber(keys, "threshold", corrections.biasThreshold));
    if (corrections.biasThreshold.value_or(1) <= 0)
        return invalidKey("not above zero", keys.path("threshold"), "write a number above 0");
    return success();
}

Status readAlpha(JsonKeys& keys, const char* key, std::optional<double>& into)
{
    DUO_CHECK(readNumber(keys, key, into));
    if (into.value_or(0) > 1)
        return invalidKey("not an alpha", keys.path(key), "write a number from 0 to 1, or -1 for none");
    return success();
}

/// Reads what `keys` holds, at the level of the settings or in NNCF's advanced_parameters. @return InvalidRule
Status readCorrections(JsonKeys& keys, CorrectionSettings& corrections)
{
    DUO_CHECK(readFlag(keys, "fast_bias_correction", corrections.fastBiasCorrection));
    DUO_CHECK(readFlag(keys, "disable_bias_correction", corrections.disableBiasCorrection));
    DUO_CHECK(keys.flag("cross_layer_equalization", corrections.crossLayerEqualization));
    DUO_CHECK(readObject(keys, "bias_correction_params", "write threshold or apply_for_all_nodes",
        [&](JsonKeys& inner) { return readBiasParameters(inner, corrections); }));
    return readObject(keys, "smooth_quant_alphas", "write matmul or convolution", [&](JsonKeys& inner) -> Status {
        DUO_CHECK(readAlpha(inner, "matmul", corrections.smoothQuantMatMul));
        return readAlpha(inner, "convolution", corrections.smoothQuantConvolution);
    });
}

/// Adds what is set to the settings' JSON.
void addCorrections(Json& json, const CorrectionSettings& corrections)
{
    if (corrections.fastBiasCorrection)
        json["fast_bias_correction"] = *corrections.fastBiasCorrection;
    if (corrections.disableBiasCorrection)
        json["disable_bias_correction"] = *corrections.disableBiasCorrection;
    if (corrections.biasThreshold)
        json["bias_correction_params"]["threshold"] = *corrections.biasThreshold;
    if (corrections.smoothQuantMatMul)
        json["smooth_quant_alphas"]["matmul"] = *corrections.smoothQuantMatMul;
    if (corrections.smoothQuantConvolution)
        json["smooth_quant_alphas"]["convolution"] = *corrections.smoothQuantConvolution;
    if (corrections.crossLayerEqualization)
        json["cross_layer_equalization"] = true;
}

constexpr std::int64_t kMostSamples = 1'000'000'000;

template <typename E, std::size_t N>
Status read(JsonKeys& keys, const char* key, const std::array<std::string_view, N>& texts, std::optional<E>& into)
{
    std::optional<std::size_t> index;
    DUO_CHECK(keys.choice(key, texts, index));
    if (index)
        into = static_cast<E>(*index);
    return success();
}

template <typename E, std::size_t N>
Status read(JsonKeys& keys, const char* key, const std::array<std::string_view, N>& texts, E& into)
{
    std::optional<E> given = into;
    DUO_CHECK(read(keys, key, texts, given));
    into = *given;
    return success();
}

/// What NNCF keeps in `advanced_parameters`, wherever it stands.
Status readAdvanced(JsonKeys& keys, QuantizationSettings& settings)
{
    DUO_CHECK(readPrecision(keys, "activations_quantization_params", settings.activations));
    DUO_CHECK(readPrecision(keys, "weights_quantization_params", settings.weights));
    DUO_CHECK(read(keys, "overflow_fix", kOverflowFixTexts, settings.overflowFix));
    const char* const estimatorKey = "activations_range_estimator_params";
    if (const Json* json = keys.find(estimatorKey); json != nullptr && !json->is_null()) {
        DUO_TRY(estimator, rangeEstimatorFromJson(*json, keys.path(estimatorKey)));
        settings.activationsRangeEstimator = estimator;
    }
    DUO_CHECK(readCorrections(keys, settings.corrections));
    return keys.flag("quantize_outputs", settings.quantizeOutputs);
}

/// The unknown keys of both levels, those of NNCF checked.
Result<Json> restOf(JsonKeys& keys, QuantizationSettings& settings)
{
    const Json* advanced = keys.find("advanced_parameters");
    Json rest = keys.unknown();
    if (advanced != nullptr && !advanced->is_null()) {
        if (!advanced->is_object())
            return invalidKey("not an object", keys.path("advanced_parameters"), "write an object");
        JsonKeys inner(*advanced, keys.path("advanced_parameters"));
        DUO_CHECK(readAdvanced(inner, settings));
        if (Json left = inner.unknown(); !left.empty())
            rest["advanced_parameters"] = std::move(left);
    }
    return rest;
}

} // namespace

Result<QuantizationSettings> settingsFromJson(const Json& json, const std::string& path)
{
    if (!json.is_object())
        return invalidKey("not settings", path, "write an object");
    JsonKeys keys(json, path);
    QuantizationSettings settings;
    DUO_CHECK(read(keys, "profile", kProfileTexts, settings.profile));
    DUO_CHECK(keys.flag("nncf_compatible", settings.nncfCompatible));
    DUO_CHECK(read(keys, "preset", kPresetTexts, settings.preset));
    DUO_CHECK(read(keys, "target_device", kDeviceTexts, settings.targetDevice));
    DUO_CHECK(read(keys, "model_type", kModelTypeTexts, settings.modelType));
    DUO_CHECK(keys.count("subset_size", kMostSamples, settings.subsetSize));
    DUO_CHECK(keys.flag("stop_when_converged", settings.stopWhenConverged));
    DUO_CHECK(readAdvanced(keys, settings));
    DUO_CHECK(keys.flag("power_of_two_scales", settings.powerOfTwoScales));
    if (const Json* rules = keys.find("range_estimator_rules"); rules != nullptr) {
        DUO_TRY(estimatorRules, estimatorRulesFromJson(*rules, keys.path("range_estimator_rules")));
        settings.rangeEstimatorRules = std::move(estimatorRules);
    }
    DUO_TRY(rest, restOf(keys, settings));
    DUO_CHECK(checkNncfParameters(rest, path));
    settings.unknownKeys = keysText(rest);
    return settings;
}

Json settingsJson(const QuantizationSettings& settings)
{
    Json json{{"profile", profileText(settings.profile)}, {"nncf_compatible", settings.nncfCompatible}};
    if (settings.preset)
        json["preset"] = enumText(kPresetTexts, *settings.preset);
    json["target_device"] = enumText(kDeviceTexts, settings.targetDevice);
    if (settings.modelType)
        json["model_type"] = enumText(kModelTypeTexts, *settings.modelType);
    if (settings.overflowFix)
        json["overflow_fix"] = enumText(kOverflowFixTexts, *settings.overflowFix);
    if (settings.subsetSize)
        json["subset_size"] = *settings.subsetSize;
    if (settings.stopWhenConverged)
        json["stop_when_converged"] = true;
    json["quantize_outputs"] = settings.quantizeOutputs;
    if (settings.activations != PrecisionOverride{})
        json["activations_quantization_params"] = precisionJson(settings.activations);
    if (settings.weights != PrecisionOverride{})
        json["weights_quantization_params"] = precisionJson(settings.weights);
    if (settings.activationsRangeEstimator)
        json["activations_range_estimator_params"] = rangeEstimatorJson(*settings.activationsRangeEstimator);
    if (!settings.rangeEstimatorRules.empty())
        json["range_estimator_rules"] = estimatorRulesJson(settings.rangeEstimatorRules);
    if (settings.powerOfTwoScales)
        json["power_of_two_scales"] = true;
    addCorrections(json, settings.corrections);
    appendKeys(json, settings.unknownKeys);
    return json;
}

} // namespace duo
