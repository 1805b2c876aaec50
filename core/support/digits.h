// SPDX-License-Identifier: Apache-2.0
// ASCII digits, whatever the locale.
#pragma once

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

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

/// Of a text that is a whole number in decimal digits and nothing else, with a minus sign where T has one; nothing for
/// other texts and numbers beyond T.
template <typename T> std::optional<T> wholeNumber(std::string_view text)
{
    T number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace duo
