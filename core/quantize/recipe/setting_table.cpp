// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/setting_table.h"

#include "core/quantize/recipe/setting_choices.h"
#include "core/quantize/recipe/settings_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;
using enum SettingKind;
using Reach = SettingReach;

constexpr std::array<std::string_view, 2> kBits{"8", "16"};
constexpr std::array<std::string_view, 2> kFlags{"true", "false"};
constexpr std::array<std::string_view, 1> kOnlyTrue{"true"}; // false is left out
constexpr std::string_view kEstimatorKey = "activations_range_estimator_params";
constexpr std::string_view kProfileDecides = "the profile decides";

const std::vector<std::string_view>& estimatorNames()
{
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
        for (std::string_view rest = rangeEstimatorSetNames(); !rest.empty();) {
            const std::size_t end = std::min(rest.find(", "), rest.size());
            all.push_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 2, rest.size()));
        }
        return all;
    }();
    return names;
}

/// In the order of resources/docs/recipe.md, "Settings".
const auto& table()
{
    static const std::array all{
        Setting{"profile", Choice, Reach::Placement, kProfileTexts, "which runtime to place quantizers for"},
        Setting{"nncf_compatible", Flag, Reach::Placement, kFlags,
            "place quantizers and choose ranges, scales and zero points as NNCF does for ONNX"},
        Setting{"preset", Choice, Reach::Placement, kPresetTexts,
            "activations symmetric (performance) or asymmetric (mixed)", kProfileDecides},
        Setting{"target_device", Choice, Reach::Placement, kDeviceTexts, "which of NNCF's tables holds"},
        Setting{"model_type", Choice, Reach::Placement, kModelTypeTexts,
            "whether what spoils a transformer stays in float", "the model tells"},
        Setting{"overflow_fix", Choice, Reach::WeightRange, kOverflowFixTexts,
            "weights use half their codes, so that CPUs without VNNI add without overflow", kProfileDecides},
        Setting{"subset_size", Count, Reach::Samples, {}, "most samples of the data that are used", "300"},
        Setting{"stop_when_converged", Flag, Reach::Samples, kOnlyTrue,
            "stop measuring once more samples change no scale", "false"},
        Setting{"quantize_outputs", Flag, Reach::Placement, kFlags, "quantize the outputs of the model, too"},
        Setting{"activations_quantization_params.num_bits", Bits, Reach::Placement, kBits, "bits of activations",
            kProfileDecides},
        Setting{"activations_quantization_params.mode", Choice, Reach::Placement, kModeTexts,
            "symmetric activations have no zero point", kProfileDecides},
        Setting{"activations_quantization_params.signedness_to_force", Flag, Reach::Placement, kFlags,
            "signed codes for activations, or unsigned ones", "the sign of the values decides"},
        Setting{"activations_quantization_params.per_channel", Flag, Reach::Placement, kFlags,
            "one scale for each channel of activations", kProfileDecides},
        Setting{"activations_quantization_params.narrow_range", Flag, Reach::Placement, kFlags,
            "activations leave out the lowest code", kProfileDecides},
        Setting{
            "weights_quantization_params.num_bits", Bits, Reach::Placement, kBits, "bits of weights", kProfileDecides},
        Setting{"weights_quantization_params.mode", Choice, Reach::Placement, kModeTexts,
            "symmetric weights have no zero point", kProfileDecides},
        Setting{"weights_quantization_params.signedness_to_force", Flag, Reach::Placement, kFlags,
            "signed codes for weights, or unsigned ones", kProfileDecides},
        Setting{"weights_quantization_params.per_channel", Flag, Reach::Placement, kFlags,
            "one scale for each channel of weights", kProfileDecides},
        Setting{"weights_quantization_params.narrow_range", Flag, Reach::Placement, kFlags,
            "weights leave out the lowest code", kProfileDecides},
        Setting{kEstimatorKey, Choice, Reach::ActivationRanges, estimatorNames(),
            "how the range of an activation follows from what was measured", "MINMAX, or MEAN_MINMAX as NNCF"},
        Setting{"power_of_two_scales", Flag, Reach::Scales, kOnlyTrue, "every scale is the next larger power of two",
            "false"},
        Setting{"disable_bias_correction", Flag, Reach::Biases, kFlags,
            "leave biases as they are instead of giving back what rounding the weights takes from the mean", "false"},
        Setting{"fast_bias_correction", Flag, Reach::Biases, kFlags,
            "correct biases in closed form; false: layer after layer, running the quantized model", "true"},
        Setting{"bias_correction_params.threshold", Number, Reach::Biases, {},
            "largest shift of a bias that is taken, as a share of the bias", "2; not fast: 1000"},
        Setting{"smooth_quant_alphas.matmul", Number, Reach::Products, {},
            "how much of the unevenness of activations goes into the weights of products, from 0 to 1; -1: none",
            "off; 0.7 in what is recognised as a transformer"},
        Setting{"smooth_quant_alphas.convolution", Number, Reach::Convolutions, {},
            "how much of the unevenness of activations goes into the weights of convolutions, from 0 to 1; -1: none",
            "off"},
        Setting{"cross_layer_equalization", Flag, Reach::LayerPairs, kOnlyTrue,
            "make the weights of layers that follow each other equally large", "false"},
    };
    return all;
}

/// Splits "outer.inner"; `outer` is "" for a key of the settings themselves.
std::pair<std::string, std::string> splitKey(std::string_view key)
{
    const std::size_t point = key.find('.');
    if (point == std::string_view::npos)
        return {"", std::string(key)};
    return {std::string(key.substr(0, point)), std::string(key.substr(point + 1))};
}

std::string estimatorText(const RangeEstimatorParameters& estimator)
{
    for (const std::string_view name : estimatorNames()) {
        if (rangeEstimatorSet(name) == estimator)
            return std::string(name);
    }
    return "custom";
}

/// What is written for a text; what is no number stays text, for the reader to refuse.
Json written(const Setting& setting, const std::string& text)
{
    if (setting.kind == Flag && (text == "true" || text == "false"))
        return text == "true";
    if (setting.kind == Choice || setting.kind == Flag)
        return text;
    const char* const end = text.data() + text.size();
    std::int64_t whole = 0;
    if (const auto read = std::from_chars(text.data(), end, whole); read.ec == std::errc() && read.ptr == end)
        return whole;
    double number = 0;
    if (const auto read = std::from_chars(text.data(), end, number); read.ec == std::errc() && read.ptr == end)
        return number;
    return text;
}

} // namespace

std::span<const Setting> settingTable()
{
    return table();
}

std::optional<std::string> settingText(const QuantizationSettings& settings, const Setting& setting)
{
    if (setting.key == kEstimatorKey)
        return settings.activationsRangeEstimator ? std::optional(estimatorText(*settings.activationsRangeEstimator))
                                                  : std::nullopt;
    const auto [outer, inner] = splitKey(setting.key);
    const Json all = settingsJson(settings);
    const Json* place = &all;
    for (const std::string& key : {outer, inner}) {
        if (key.empty())
            continue;
        const auto found = place->find(key);
        if (found == place->end())
            return std::nullopt;
        place = &*found;
    }
    return place->is_string() ? place->get<std::string>() : place->dump();
}

Result<QuantizationSettings> withSetting(
    const QuantizationSettings& settings, const Setting& setting, const std::optional<std::string>& text)
{
    const auto [outer, inner] = splitKey(setting.key);
    Json all = settingsJson(settings);
    Json& object = outer.empty() ? all : all[outer];
    if (object.is_null())
        object = Json::object();
    object.erase(inner);
    if (text)
        object[inner] = written(setting, *text);
    else if (!outer.empty() && object.empty())
        all.erase(outer);
    return settingsFromJson(all, "quantization");
}

} // namespace duo
