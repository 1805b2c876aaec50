// SPDX-License-Identifier: Apache-2.0
#include "core/marks/mark_json.h"

#include "core/support/json_keys.h"

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

Json valueJson(const std::string& text)
{
    Json value = Json::parse(text, nullptr, false);
    const bool isScalar = value.is_boolean() || value.is_number();
    return isScalar && value.dump() == text ? value : Json(text);
}

Status readSettings(const Json& json, const std::string& path, std::vector<MarkSetting>& settings)
{
    if (!json.is_object())
        return invalidKey("not settings", path, "write an object, such as {\"use_orig_params\": true}");
    if (json.size() > kMostMarkSettings)
        return invalidKey("too many settings", path, "write at most " + std::to_string(kMostMarkSettings));
    for (const auto& [key, value] : json.items()) {
        if (key.empty() || value.is_null() || value.is_structured())
            return invalidKey("not a setting", path + "." + key, "write a text, a number, true or false under a name");
        setInPlace(settings, {key, value.is_string() ? value.get<std::string>() : value.dump()});
    }
    return success();
}

Result<Mark> markFromJson(const Json& json, const std::string& path)
{
    if (!json.is_object())
        return invalidKey("not a mark", path, "write an object with a root");
    JsonKeys keys(json, path);
    Mark mark;
    if (keys.find("root") == nullptr)
        return invalidKey("a mark without root", path, "write the path of a module, or \"\" for the whole model");
    DUO_CHECK(keys.text("root", mark.root));
    DUO_CHECK(keys.texts("ignored", mark.ignored));
    DUO_CHECK(keys.flag("expand_ignored", mark.expandIgnored));
    if (const Json* settings = keys.find("settings"); settings != nullptr)
        DUO_CHECK(readSettings(*settings, keys.path("settings"), mark.settings));
    DUO_CHECK(keys.flag("enabled", mark.enabled));
    DUO_CHECK(keys.text("comment", mark.comment));
    mark.unknownKeys = keysText(keys.unknown());
    return mark;
}

} // namespace

Json markSettingsJson(const std::vector<MarkSetting>& settings)
{
    Json json = Json::object();
    for (const MarkSetting& setting : settings)
        json[setting.key] = valueJson(setting.value);
    return json;
}

Json markJson(const Mark& mark)
{
    Json json{{"root", mark.root}, {"ignored", mark.ignored}, {"expand_ignored", mark.expandIgnored},
        {"settings", markSettingsJson(mark.settings)}, {"enabled", mark.enabled}, {"comment", mark.comment}};
    appendKeys(json, mark.unknownKeys);
    return json;
}

Json marksJson(const std::vector<Mark>& marks)
{
    Json json = Json::array();
    for (const Mark& mark : marks)
        json.push_back(markJson(mark));
    return json;
}

Result<std::vector<Mark>> marksFromJson(const Json& json, const std::string& path)
{
    if (!json.is_array())
        return invalidKey("not a list", path, "write a list of marks");
    if (json.size() > kMostMarks)
        return invalidKey("too many marks", path, "write at most " + std::to_string(kMostMarks));
    std::vector<Mark> marks;
    for (std::size_t i = 0; i < json.size(); ++i) {
        DUO_TRY(mark, markFromJson(json[i], path + "[" + std::to_string(i) + "]"));
        marks.push_back(std::move(mark));
    }
    return marks;
}

} // namespace duo
