// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/settings_json.h"

#include "core/quantize/recipe/corrections_json.h"
#include "core/quantize/recipe/nncf_parameters.h"
#include "core/quantize/recipe/precision_json.h"
#include "core/quantize/recipe/range_estimator_json.h"
#include "core/support/enum_text.h"

#include <array>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto kProfiles = enumTexts<Profile::Qnn>({"ort-cpu", "tensorrt", "openvino", "qnn"});
constexpr auto kPresets = enumTexts<Preset::Mixed>({"performance", "mixed"});
constexpr auto kDevices = enumTexts<TargetDevice::CpuSpr>({"ANY", "CPU", "GPU", "NPU", "CPU_SPR"});
constexpr auto kModelTypes = enumTexts<ModelType::Transformer>({"none", "transformer"});
constexpr auto kOverflowFixes = enumTexts<OverflowFix::FirstLayer>({"disable", "enable", "first_layer_only"});
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
    DUO_CHECK(read(keys, "overflow_fix", kOverflowFixes, settings.overflowFix));
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
    DUO_CHECK(read(keys, "profile", kProfiles, settings.profile));
    DUO_CHECK(keys.flag("nncf_compatible", settings.nncfCompatible));
    DUO_CHECK(read(keys, "preset", kPresets, settings.preset));
    DUO_CHECK(read(keys, "target_device", kDevices, settings.targetDevice));
    DUO_CHECK(read(keys, "model_type", kModelTypes, settings.modelType));
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
        json["preset"] = enumText(kPresets, *settings.preset);
    json["target_device"] = enumText(kDevices, settings.targetDevice);
    if (settings.modelType)
        json["model_type"] = enumText(kModelTypes, *settings.modelType);
    if (settings.overflowFix)
        json["overflow_fix"] = enumText(kOverflowFixes, *settings.overflowFix);
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
