// SPDX-License-Identifier: Apache-2.0
#include "core/support/json_keys.h"

#include "core/support/json.h"

#include <utility>

namespace duo {
namespace {

using Json = JsonKeys::Json;

} // namespace

JsonKeys::JsonKeys(const Json& object, std::string path)
    : m_object(object)
    , m_path(std::move(path))
{
}

const Json* JsonKeys::find(const char* key)
{
    m_known.insert(key);
    const auto found = m_object.find(key);
    return found == m_object.end() ? nullptr : &*found;
}

std::string JsonKeys::path(std::string_view key) const
{
    return m_path.empty() ? std::string(key) : m_path + "." + std::string(key);
}

Status JsonKeys::text(const char* key, std::string& into)
{
    const Json* value = find(key);
    if (value == nullptr)
        return success();
    if (!value->is_string())
        return invalidKey("not text", path(key), "write a text in quotes");
    into = value->get<std::string>();
    return success();
}

Status JsonKeys::flag(const char* key, bool& into)
{
    const Json* value = find(key);
    if (value == nullptr)
        return success();
    if (!value->is_boolean())
        return invalidKey("not true or false", path(key), "write true or false");
    into = value->get<bool>();
    return success();
}

Status JsonKeys::elements(const Json& list, const char* key, std::vector<std::string>& into) const
{
    if (!list.is_array())
        return invalidKey("not a list", path(key), "write a list of texts");
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!list[i].is_string())
            return invalidKey("not text", path(key) + "[" + std::to_string(i) + "]", "write a list of texts");
        into.push_back(list[i].get<std::string>());
    }
    return success();
}

Status JsonKeys::texts(const char* key, std::vector<std::string>& into)
{
    const Json* value = find(key);
    return value == nullptr ? success() : elements(*value, key, into);
}

Status JsonKeys::textOrTexts(const char* key, std::vector<std::string>& into)
{
    const Json* value = find(key);
    if (value == nullptr || value->is_null())
        return success();
    if (!value->is_string())
        return elements(*value, key, into);
    into.push_back(value->get<std::string>());
    return success();
}

Status JsonKeys::choice(const char* key, std::span<const std::string_view> choices, std::optional<std::size_t>& into)
{
    const Json* value = find(key);
    if (value == nullptr || value->is_null())
        return success();
    std::string list;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (value->is_string() && value->get_ref<const std::string&>() == choices[i]) {
            into = i;
            return success();
        }
        list += (list.empty() ? "" : ", ") + std::string(choices[i]);
    }
    return invalidKey("unknown value " + jsonText(*value), path(key), "write one of " + list);
}

Status JsonKeys::count(const char* key, std::int64_t most, std::optional<int>& into)
{
    const Json* value = find(key);
    if (value == nullptr || value->is_null())
        return success();
    const bool isCount = value->is_number_integer() && value->get<std::int64_t>() >= 1
        && (value->is_number_unsigned() ? value->get<std::uint64_t>() <= static_cast<std::uint64_t>(most)
                                        : value->get<std::int64_t>() <= most);
    if (!isCount)
        return invalidKey("not a count", path(key), "write a whole number from 1");
    into = value->get<int>();
    return success();
}

Json JsonKeys::unknown() const
{
    Json rest = Json::object();
    for (const auto& [key, value] : m_object.items()) {
        if (!m_known.contains(key))
            rest[key] = value;
    }
    return rest;
}

std::string keysText(const Json& object)
{
    return object.empty() ? std::string() : jsonText(object);
}

void appendKeys(Json& object, const std::string& keys)
{
    if (keys.empty())
        return;
    const Json rest = Json::parse(keys, nullptr, false);
    if (!rest.is_object())
        return;
    for (const auto& [key, value] : rest.items()) {
        if (!object.contains(key))
            object[key] = value;
    }
}

Error invalidKey(std::string what, std::string path, std::string whatToDo)
{
    return {ErrorCode::InvalidRule, std::move(what), std::move(path), std::move(whatToDo)};
}

} // namespace duo
