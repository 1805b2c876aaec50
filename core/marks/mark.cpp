// SPDX-License-Identifier: Apache-2.0
#include "core/marks/mark.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::size_t kPathsShown = 3;

std::string nameOf(const std::string& path)
{
    return path.empty() ? "the model" : path;
}

} // namespace

std::string markText(const Mark& mark)
{
    std::string text = "mark " + nameOf(mark.root);
    for (std::size_t i = 0; i < std::min(mark.ignored.size(), kPathsShown); ++i)
        text += (i == 0 ? " without " : ", ") + nameOf(mark.ignored[i]);
    if (mark.ignored.size() > kPathsShown)
        text += " and " + std::to_string(mark.ignored.size() - kPathsShown) + " more";
    if (mark.expandIgnored && !mark.ignored.empty())
        text += " and what lies below";
    for (std::size_t i = 0; i < mark.settings.size(); ++i)
        text += (i == 0 ? ": " : ", ") + mark.settings[i].key + "=" + mark.settings[i].value;
    return text;
}

Result<MarkSetting> markSettingFromText(std::string_view text)
{
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0)
        return Error{ErrorCode::Usage, "not a setting", "--set " + std::string(text), "write --set KEY=VALUE"};
    return MarkSetting{std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

void setInPlace(std::vector<MarkSetting>& settings, MarkSetting setting)
{
    const auto known = std::ranges::find(settings, setting.key, &MarkSetting::key);
    if (known == settings.end())
        settings.push_back(std::move(setting));
    else
        known->value = std::move(setting.value);
}

} // namespace duo
