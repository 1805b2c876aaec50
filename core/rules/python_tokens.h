// SPDX-License-Identifier: Apache-2.0
// Python source as tokens: texts with their escapes read, numbers, names and signs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace duo {

struct PythonToken {
    enum class Kind { End, Bad, Text, Number, Name, Sign };
    Kind kind = Kind::End;
    std::string text; // Text: content; Bad: what is wrong; else as written, "..." included as signs
    std::size_t at = 0; // first byte
};

/// Line breaks and comments separate tokens and are left out. Each byte is read once, whatever the text.
class PythonTokens
{
public:
    explicit PythonTokens(std::string_view text);

    [[nodiscard]] const PythonToken& peek() const { return m_token; }
    PythonToken take();
    void skipLine(); // to the first token of the next line

private:
    void skipSpace();
    PythonToken read();
    PythonToken readText(std::size_t start, bool isRaw);
    [[nodiscard]] std::string readEscape(std::string& problem);
    [[nodiscard]] char at(std::size_t index) const { return index < m_text.size() ? m_text[index] : '\0'; }

    std::string_view m_text;
    std::size_t m_at = 0; // behind m_token
    PythonToken m_token;
};

} // namespace duo
