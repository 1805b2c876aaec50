// SPDX-License-Identifier: Apache-2.0
// Enumerators written as words: a table has one word for each, in their order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace duo {

/// The enumerator that `text` names in the table; nothing if none does.
template <typename E, std::size_t N>
std::optional<E> enumFromText(const std::array<std::string_view, N>& texts, std::string_view text)
{
    const auto found = std::find(texts.begin(), texts.end(), text);
    return found == texts.end() ? std::nullopt : std::optional(static_cast<E>(found - texts.begin()));
}

} // namespace duo
