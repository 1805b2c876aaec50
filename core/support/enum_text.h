// SPDX-License-Identifier: Apache-2.0
// Enumerators written as words: a table has one word for each, in their order.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace duo {

/// The table of an enumeration that ends with `Last`; one of another size does not compile.
template <auto Last, std::size_t N>
consteval std::array<std::string_view, N> enumTexts(const std::string_view (&texts)[N])
{
    static_assert(N == static_cast<std::size_t>(Last) + 1, "one text for each enumerator");
    std::array<std::string_view, N> table;
    std::copy(texts, texts + N, table.begin());
    return table;
}

template <typename E, std::size_t N>
constexpr std::string_view enumText(const std::array<std::string_view, N>& texts, E value)
{
    return texts[static_cast<std::size_t>(value)];
}

/// The enumerator that `text` names in the table; nothing if none does.
template <typename E, std::size_t N>
std::optional<E> enumFromText(const std::array<std::string_view, N>& texts, std::string_view text)
{
    const auto found = std::find(texts.begin(), texts.end(), text);
    return found == texts.end() ? std::nullopt : std::optional(static_cast<E>(found - texts.begin()));
}

/// The same where a function gives the texts of the enumerators, up to `last`.
template <typename E> std::optional<E> enumFromText(std::string_view (*textOf)(E), E last, std::string_view text)
{
    for (int value = 0; value <= static_cast<int>(last); ++value) {
        if (textOf(static_cast<E>(value)) == text)
            return static_cast<E>(value);
    }
    return std::nullopt;
}

} // namespace duo
