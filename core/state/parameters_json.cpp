// SPDX-License-Identifier: Apache-2.0
#include "core/state/parameters_json.h"

#include "core/support/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kCodeTypes{ElementType::UInt8, ElementType::Int8, ElementType::UInt16, ElementType::Int16};

bool readScales(const Json& json, std::vector<float>& scales)
{
    if (!json.is_array() || json.empty())
        return false;
    for (const Json& item : json) {
        if (!item.is_number())
            return false;
        const auto scale = static_cast<float>(item.get<double>());
        if (!std::isfinite(scale) || scale <= 0)
            return false;
        scales.push_back(scale);
    }
    return true;
}

bool readZeroPoints(const Json& json, ElementType type, std::vector<std::int32_t>& zeroPoints)
{
    if (!json.is_array())
        return false;
    const bool isWide = type == ElementType::UInt16 || type == ElementType::Int16;
    const bool isSigned = type == ElementType::Int8 || type == ElementType::Int16;
    const std::int64_t codes = isWide ? 65536 : 256;
    const std::int64_t lowest = isSigned ? -codes / 2 : 0;
    for (const Json& item : json) {
        if (!item.is_number_integer())
            return false;
        const auto value = item.get<std::int64_t>();
        if (value < lowest || value >= lowest + codes)
            return false;
        zeroPoints.push_back(static_cast<std::int32_t>(value));
    }
    return true;
}

std::optional<QuantizationParameters> parametersOf(const Json& json)
{
    QuantizationParameters parameters;
    if (!json.is_object() || !json.contains("scale") || !json.contains("zero_point") || !json.contains("type"))
        return std::nullopt;
    const auto type = std::find_if(kCodeTypes.begin(), kCodeTypes.end(),
        [&](ElementType known) { return json["type"] == elementTypeName(known); });
    if (type == kCodeTypes.end())
        return std::nullopt;
    parameters.type = *type;
    if (const auto axis = json.find("axis"); axis != json.end() && !axis->is_null()) {
        if (!axis->is_number_unsigned() || axis->get<std::uint64_t>() > 64)
            return std::nullopt;
        parameters.axis = axis->get<std::int64_t>();
    }
    if (!readScales(json["scale"], parameters.scale)
        || !readZeroPoints(json["zero_point"], parameters.type, parameters.zeroPoint)
        || parameters.scale.size() != parameters.zeroPoint.size())
        return std::nullopt;
    return parameters;
}

} // namespace

Json parametersJson(const ParametersByPoint& parameters)
{
    Json json = Json::object();
    for (const auto& [id, p] : parameters) {
        addMember(json, std::to_string(id),
            {{"type", elementTypeName(p.type)}, {"axis", p.axis ? Json(*p.axis) : Json()}, {"scale", p.scale},
                {"zero_point", p.zeroPoint}});
    }
    return json;
}

Result<ParametersByPoint> parametersFromJson(const Json& json, const std::string& name)
{
    ParametersByPoint parameters;
    for (const auto& [key, value] : json.items()) {
        PointId id = 0;
        const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
        auto read = parametersOf(value);
        if (error != std::errc{} || end != key.data() + key.size() || !read)
            return Error{ErrorCode::BadState, "scale or zero point cannot be used", name + " parameters " + key,
                "take the state file as Duoscope wrote it"};
        parameters.emplace(id, *std::move(read));
    }
    return parameters;
}

} // namespace duo
