// SPDX-License-Identifier: Apache-2.0
// Whether a text stands in a short list of texts, in the order the list is written in.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string_view>

namespace duo {

constexpr bool isOneOf(std::string_view text, std::span<const std::string_view> texts)
{
    return std::ranges::find(texts, text) != texts.end();
}

constexpr bool isOneOf(std::string_view text, std::initializer_list<std::string_view> texts)
{
    return isOneOf(text, std::span(texts.begin(), texts.size()));
}

} // namespace duo
