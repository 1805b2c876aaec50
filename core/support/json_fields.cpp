// SPDX-License-Identifier: Apache-2.0
#include "core/support/json_fields.h"

#include <algorithm>
#include <set>

namespace duo {

using Json = nlohmann::ordered_json;

JsonPlace JsonPlace::member(std::string_view key) const
{
    return {file, path.empty() ? std::string(key) : path + "." + std::string(key), code};
}

JsonPlace JsonPlace::element(std::size_t index) const
{
    return {file, path + "[" + std::to_string(index) + "]", code};
}

Error JsonPlace::error(std::string what) const
{
    return {code, std::move(what), path.empty() ? file : file + " " + path, "take the file as Duoscope wrote it"};
}

JsonFields::JsonFields(const Json& json, JsonPlace place)
    : m_json(&json)
    , m_place(std::move(place))
{
}

Result<JsonFields> JsonFields::of(const Json& json, JsonPlace place, std::initializer_list<std::string_view> required,
    std::initializer_list<std::string_view> optional)
{
    if (!json.is_object())
        return place.error("not an object");
    for (const std::string_view key : required) {
        if (!json.contains(key))
            return place.member(key).error("missing field");
    }
    for (const auto& [key, value] : json.get_ref<const Json::object_t&>()) {
        const auto isKey = [&](std::string_view known) { return known == key; };
        if (!std::ranges::any_of(required, isKey) && !std::ranges::any_of(optional, isKey))
            return place.member(key).error("unknown field");
    }
    return JsonFields(json, std::move(place));
}

bool JsonFields::has(std::string_view key) const
{
    return m_json->contains(key);
}

const Json& JsonFields::at(std::string_view key) const
{
    return *m_json->find(key);
}

Result<std::string> JsonFields::text(std::string_view key) const
{
    const Json& value = at(key);
    if (!value.is_string())
        return place(key).error("not a text");
    return value.get<std::string>();
}

Result<bool> JsonFields::flag(std::string_view key) const
{
    const Json& value = at(key);
    if (!value.is_boolean())
        return place(key).error("not true or false");
    return value.get<bool>();
}

Result<std::int64_t> JsonFields::integer(std::string_view key, std::int64_t least, std::int64_t most) const
{
    return integerOf(at(key), place(key), least, most);
}

Result<std::vector<std::string>> JsonFields::texts(std::string_view key) const
{
    return textsOf(at(key), place(key));
}

Result<std::vector<std::string>> JsonFields::distinctTexts(std::string_view key) const
{
    DUO_TRY(all, texts(key));
    std::set<std::string_view> known;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!known.insert(all[i]).second)
            return place(key).element(i).error("it stands there already");
    }
    return all;
}

Result<std::int64_t> integerOf(const Json& json, const JsonPlace& place, std::int64_t least, std::int64_t most)
{
    const bool isTooLarge = json.is_number_unsigned()
        && json.get<std::uint64_t>() > static_cast<std::uint64_t>(std::max<std::int64_t>(most, 0));
    if (!json.is_number_integer() || isTooLarge || json.get<std::int64_t>() < least || json.get<std::int64_t>() > most)
        return place.error("not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return json.get<std::int64_t>();
}

Result<std::vector<std::string>> textsOf(const Json& json, const JsonPlace& place)
{
    if (!json.is_array())
        return place.error("not a list");
    std::vector<std::string> texts;
    for (const Json& item : json) {
        if (!item.is_string())
            return place.element(texts.size()).error("not a text");
        texts.push_back(item.get<std::string>());
    }
    return texts;
}

} // namespace duo
