// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/recipe.h"

#include "core/quantize/recipe/nncf_parameters.h"
#include "core/quantize/recipe/setting_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

/// The name of a setting, or of an object with settings in it.
bool isSettingName(std::string_view key)
{
    const auto isIn = [&](const Setting& setting) {
        return setting.key == key || (setting.key.starts_with(key) && setting.key[key.size()] == '.');
    };
    return std::ranges::any_of(settingTable(), isIn) || key == "range_estimator_rules" || isNncfParameter(key);
}

/// A note per unknown key; of objects that NNCF knows, of the keys in them.
void addNotes(const Json& object, const std::string& path, const std::string& settings, std::vector<Note>& notes)
{
    for (const auto& [key, value] : object.items()) {
        const std::string at = path.empty() ? key : path + "." + key;
        const bool isSetting = !settings.empty() && at.size() > settings.size();
        const bool isNncf = isSetting && isNncfParameter(std::string_view(at).substr(settings.size() + 1));
        if (isNncf && value.is_object() && !value.empty())
            addNotes(value, at, settings, notes);
        else if (isNncf)
            notes.push_back({"unused-key", "a parameter of NNCF that is kept, but not used", at});
        else if (at == key && isSettingName(key))
            notes.push_back(
                {"unknown-key", "a setting, which belongs under 'quantization': kept, but without effect", at});
        else
            notes.push_back({"unknown-key", "a key that is not known: kept, but without effect", at});
    }
}

void addTextNotes(
    const std::string& keys, const std::string& path, const std::string& settings, std::vector<Note>& notes)
{
    if (keys.empty())
        return;
    const Json object = Json::parse(keys, nullptr, false);
    if (object.is_object())
        addNotes(object, path, settings, notes);
}

} // namespace

std::vector<Note> recipeNotes(const Recipe& recipe)
{
    std::vector<Note> notes;
    for (std::size_t i = 0; i < recipe.rules.rules.size(); ++i)
        addTextNotes(recipe.rules.rules[i].unknownKeys, "rules[" + std::to_string(i) + "]", "", notes);
    addTextNotes(recipe.quantization.unknownKeys, "quantization", "quantization", notes);
    addTextNotes(recipe.unknownKeys, "", "", notes);
    addTextNotes(recipe.functions.unknownKeys, "functions", "", notes);
    return notes;
}

} // namespace duo
