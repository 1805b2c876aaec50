// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/nncf_parameters.h"

#include "core/support/enum_text.h"
#include "core/support/json_keys.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

enum class Type { Flag, Count, Number, Text, Object };

struct Parameter {
    std::string_view path;
    Type type;
};

// nncf.quantize, AdvancedQuantizationParameters and what it holds (nncf/quantization/advanced_parameters.py, 3.x).
constexpr std::array kParameters{
    Parameter{"advanced_parameters", Type::Object},
    Parameter{"advanced_parameters.inplace_statistics", Type::Flag},
    Parameter{"advanced_parameters.disable_channel_alignment", Type::Flag},
    Parameter{"advanced_parameters.batchwise_statistics", Type::Flag},
    Parameter{"advanced_parameters.quantizer_propagation_rule", Type::Text},
    Parameter{"advanced_parameters.smooth_quant_alpha", Type::Number},
    Parameter{"advanced_parameters.backend_params", Type::Object},
    Parameter{"advanced_parameters.activations_quantization_params", Type::Object},
    Parameter{"advanced_parameters.activations_quantization_params.num_bits", Type::Count},
    Parameter{"advanced_parameters.activations_quantization_params.mode", Type::Text},
    Parameter{"advanced_parameters.activations_quantization_params.signedness_to_force", Type::Flag},
    Parameter{"advanced_parameters.activations_quantization_params.per_channel", Type::Flag},
    Parameter{"advanced_parameters.activations_quantization_params.narrow_range", Type::Flag},
    Parameter{"advanced_parameters.weights_quantization_params", Type::Object},
    Parameter{"advanced_parameters.weights_quantization_params.num_bits", Type::Count},
    Parameter{"advanced_parameters.weights_quantization_params.mode", Type::Text},
    Parameter{"advanced_parameters.weights_quantization_params.signedness_to_force", Type::Flag},
    Parameter{"advanced_parameters.weights_quantization_params.per_channel", Type::Flag},
    Parameter{"advanced_parameters.weights_quantization_params.narrow_range", Type::Flag},
    Parameter{"advanced_parameters.weights_range_estimator_params", Type::Object},
    Parameter{"advanced_parameters.weights_range_estimator_params.min", Type::Object},
    Parameter{"advanced_parameters.weights_range_estimator_params.max", Type::Object},
};

const Parameter* parameterAt(std::string_view path)
{
    const auto* found = std::find_if(
        kParameters.begin(), kParameters.end(), [&](const Parameter& parameter) { return parameter.path == path; });
    return found == kParameters.end() ? nullptr : found;
}

bool fits(const Json& value, Type type)
{
    switch (type) {
    case Type::Flag:
        return value.is_boolean();
    case Type::Count:
        return value.is_number_unsigned() && value.get<std::uint64_t>() > 0;
    case Type::Number:
        return value.is_number();
    case Type::Text:
        return value.is_string();
    case Type::Object:
        return value.is_object();
    }
    return false;
}

std::string_view typeText(Type type)
{
    return enumText(
        enumTexts<Type::Object>({"true or false", "a whole number from 1", "a number", "text", "an object"}), type);
}

/// @param inside path below the settings, "" for the settings themselves; JSON is at most 64 levels deep
Status check(const Json& object, const std::string& inside, const std::string& path)
{
    for (const auto& [key, value] : object.items()) {
        const std::string at = inside.empty() ? key : inside + "." + key;
        const Parameter* parameter = parameterAt(at);
        if (parameter == nullptr || value.is_null())
            continue;
        const std::string wanted(typeText(parameter->type));
        if (!fits(value, parameter->type))
            return invalidKey("not " + wanted, path + "." + at, "write " + wanted + ", or leave it out");
        if (value.is_object())
            DUO_CHECK(check(value, at, path));
    }
    return success();
}

} // namespace

Status checkNncfParameters(const Json& rest, const std::string& path)
{
    return check(rest, "", path);
}

bool isNncfParameter(std::string_view path)
{
    return parameterAt(path) != nullptr;
}

} // namespace duo
