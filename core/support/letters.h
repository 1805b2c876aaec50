// SPDX-License-Identifier: Apache-2.0
// Small letters; those beyond ASCII stay as they are, whatever the locale.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace duo {

constexpr char lowered(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lowered(std::string_view text)
{
    std::string small(text);
    std::ranges::transform(small, small.begin(), [](char c) { return lowered(c); });
    return small;
}

} // namespace duo
