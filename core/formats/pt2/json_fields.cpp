// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/json_fields.h"

#include <limits>

namespace duo {

using Json = nlohmann::ordered_json;

const Json* jsonField(const Json& json, std::string_view name)
{
    const auto* members = json.get_ptr<const Json::object_t*>();
    if (members == nullptr)
        return nullptr;
    for (const auto& [key, value] : *members) {
        if (key == name)
            return value.is_null() ? nullptr : &value;
    }
    return nullptr;
}

std::string jsonText(const Json& json, std::string_view name)
{
    const Json* field = jsonField(json, name);
    return field != nullptr && field->is_string() ? field->get<std::string>() : std::string{};
}

std::optional<std::int64_t> jsonInteger(const Json* json)
{
    if (json == nullptr || !json->is_number_integer())
        return std::nullopt;
    if (json->is_number_unsigned()
        && json->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return std::nullopt;
    return json->get<std::int64_t>();
}

std::optional<double> jsonNumber(const Json* json)
{
    if (json == nullptr)
        return std::nullopt;
    if (json->is_number())
        return json->get<double>();
    const auto* text = json->get_ptr<const std::string*>();
    if (text == nullptr)
        return std::nullopt;
    if (*text == "Infinity")
        return std::numeric_limits<double>::infinity();
    if (*text == "-Infinity")
        return -std::numeric_limits<double>::infinity();
    return *text == "NaN" ? std::optional(std::numeric_limits<double>::quiet_NaN()) : std::nullopt;
}

JsonUnion jsonUnion(const Json& json)
{
    const auto* members = json.get_ptr<const Json::object_t*>();
    if (members == nullptr)
        return {};
    for (const auto& [kind, value] : *members) {
        if (!value.is_null())
            return {kind, &value};
    }
    return {};
}

} // namespace duo
