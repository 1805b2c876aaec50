// SPDX-License-Identifier: Apache-2.0
// ASCII digits, whatever the locale.
#pragma once

#include <algorithm>
#include <string_view>

namespace duo {

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// At least one, and nothing else.
constexpr bool allDigits(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, isDigit);
}

} // namespace duo
