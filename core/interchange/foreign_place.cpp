// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/foreign_place.h"

#include <cmath>
#include <limits>
#include <utility>

namespace duo {

ForeignPlace::ForeignPlace(const Json& json, std::string file, std::string path)
    : m_json(&json)
    , m_file(std::move(file))
    , m_path(std::move(path))
{
}

Error ForeignPlace::error(std::string what) const
{
    return {ErrorCode::BadData, std::move(what), m_path.empty() ? m_file : m_file + " " + m_path,
        "take the file as its tool wrote it"};
}

bool ForeignPlace::has(const char* key) const
{
    return m_json->is_object() && m_json->contains(key);
}

Result<ForeignPlace> ForeignPlace::member(const char* key) const
{
    if (!m_json->is_object())
        return error("not an object");
    const auto found = m_json->find(key);
    if (found == m_json->end())
        return ForeignPlace(*m_json, m_file, m_path.empty() ? key : m_path + "." + key).error("missing field");
    return member(std::string(key), *found);
}

ForeignPlace ForeignPlace::member(const std::string& key, const Json& value) const
{
    return {value, m_file, m_path.empty() ? key : m_path + "." + key};
}

ForeignPlace ForeignPlace::element(std::size_t index) const
{
    return {(*m_json)[index], m_file, m_path + "[" + std::to_string(index) + "]"};
}

Result<std::string> ForeignPlace::text() const
{
    if (!m_json->is_string())
        return error("not a text");
    return m_json->get<std::string>();
}

const ForeignPlace::Json& ForeignPlace::one() const
{
    const Json* json = m_json;
    if (json->is_object() && json->contains("data"))
        json = &json->at("data");
    while (json->is_array() && json->size() == 1)
        json = &json->front();
    return *json;
}

Result<float> ForeignPlace::number() const
{
    const Json& json = one();
    if (!json.is_number())
        return error("not a number");
    const auto number = json.get<double>();
    if (!(std::abs(number) <= std::numeric_limits<float>::max()))
        return error("not a finite number");
    return static_cast<float>(number);
}

Result<float> ForeignPlace::scale() const
{
    DUO_TRY(scale, number());
    if (scale <= 0)
        return error("not a positive number");
    return scale;
}

Result<std::int64_t> ForeignPlace::integer(std::int64_t least, std::int64_t most) const
{
    const Json& json = one();
    const bool isWhole = json.is_number_integer()
        || (json.is_number_float() && json.get<double>() == std::nearbyint(json.get<double>()));
    if (!isWhole)
        return error("not a whole number");
    const double number = json.get<double>();
    if (number < static_cast<double>(least) || number > static_cast<double>(most))
        return error("not between " + std::to_string(least) + " and " + std::to_string(most));
    return static_cast<std::int64_t>(number);
}

} // namespace duo
