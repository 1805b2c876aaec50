// SPDX-License-Identifier: Apache-2.0
#include "core/outline/outline_names.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace duo {

std::string commonPath(const std::vector<const std::string*>& names)
{
    if (names.empty())
        return {};
    std::string_view common = *names.front();
    for (const std::string* name : names) {
        const auto ends = std::ranges::mismatch(common, *name);
        common = common.substr(0, static_cast<std::size_t>(ends.in1 - common.begin()));
    }
    const std::size_t slash = common.rfind('/');
    return slash == std::string_view::npos || slash == 0 ? std::string() : std::string(common.substr(0, slash + 1));
}

std::string plainName(const std::string& element)
{
    std::string name;
    for (const char c : element) {
        if (c == '#')
            break;
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    const bool isNumber = std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
    return isNumber ? kNoModuleName : name;
}

std::string below(const std::string& name, const std::string& path)
{
    return !path.empty() && name.size() > path.size() && name.starts_with(path) ? name.substr(path.size())
                                                                                : std::string();
}

} // namespace duo
