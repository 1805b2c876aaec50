// SPDX-License-Identifier: Apache-2.0
// NameWords: the words in the name of an input or of a dimension, for what names hint at.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// "past_key_values.0.key" -> past, key, values, key; "tokenTypeIds" -> token, type, ids; "h0" -> h. Lower case.
class NameWords
{
public:
    explicit NameWords(std::string_view name);

    [[nodiscard]] const std::vector<std::string>& words() const { return m_words; }
    [[nodiscard]] bool isOnly(std::initializer_list<std::string_view> any) const
    {
        return m_words.size() == 1 && has(any);
    }
    [[nodiscard]] bool has(std::initializer_list<std::string_view> any) const
    {
        return std::ranges::any_of(
            m_words, [&](const std::string& word) { return std::ranges::find(any, word) != any.end(); });
    }
    [[nodiscard]] bool has(std::string_view word) const { return has({word}); }

private:
    std::vector<std::string> m_words;
};

} // namespace duo
