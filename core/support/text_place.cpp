// SPDX-License-Identifier: Apache-2.0
#include "core/support/text_place.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace duo {
namespace {

using Step = std::variant<std::string, std::size_t>; // a key, or an index

std::vector<Step> stepsOf(std::string_view path)
{
    std::vector<Step> steps;
    std::size_t at = 0;
    while (at < path.size()) {
        if (path[at] == '.') {
            ++at;
        } else if (path[at] == '[') {
            std::size_t index = 0;
            const std::size_t end = std::min(path.find(']', at), path.size());
            std::from_chars(path.data() + at + 1, path.data() + end, index);
            steps.emplace_back(index);
            at = std::min(end + 1, path.size());
        } else {
            const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
            steps.emplace_back(std::string(path.substr(at, end - at)));
            at = end;
        }
    }
    return steps;
}

/// Walks over JSON that a parser accepted; on anything else it ends early.
class JsonWalk
{
public:
    explicit JsonWalk(std::string_view text)
        : m_text(text)
    {
    }

    std::size_t find(const std::vector<Step>& steps)
    {
        skipSpace();
        std::size_t found = m_at;
        for (const Step& step : steps) {
            const auto next = enter(step);
            if (!next)
                return found;
            found = m_at = *next;
        }
        return found;
    }

private:
    [[nodiscard]] char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    void skipSpace() { m_at = std::min(m_text.find_first_not_of(" \t\r\n", m_at), m_text.size()); }

    /// From the start of an object or array to the start of one of its values.
    std::optional<std::size_t> enter(const Step& step)
    {
        const bool isObject = peek() == '{';
        if ((!isObject && peek() != '[') || isObject != std::holds_alternative<std::string>(step))
            return std::nullopt;
        ++m_at;
        std::optional<std::size_t> found;
        for (std::size_t index = 0; m_at < m_text.size(); ++index) {
            skipSpace();
            if (peek() == '}' || peek() == ']')
                return found;
            bool isWanted = !isObject && index == std::get<std::size_t>(step);
            if (isObject) {
                isWanted = key() == std::get<std::string>(step);
                skipSpace();
                ++m_at; // the colon
                skipSpace();
            }
            if (isWanted)
                found = m_at;
            skipValue();
            skipSpace();
            if (peek() == ',')
                ++m_at;
        }
        return found;
    }

    std::string_view key() // keys looked for have no escapes
    {
        const std::size_t start = m_at + 1;
        skipText();
        return m_text.substr(std::min(start, m_text.size()), m_at > start ? m_at - start - 1 : 0);
    }

    void skipText()
    {
        for (++m_at; m_at < m_text.size() && m_text[m_at] != '"'; ++m_at)
            m_at += m_text[m_at] == '\\' ? 1 : 0;
        m_at = std::min(m_at + 1, m_text.size());
    }

    void skipValue()
    {
        std::size_t depth = 0;
        while (m_at < m_text.size()) {
            const char c = peek();
            if (c == '"') {
                skipText();
            } else if (c == '{' || c == '[') {
                ++depth;
                ++m_at;
            } else if (c == '}' || c == ']' || c == ',') {
                if (depth == 0)
                    return;
                depth -= c == ',' ? 0 : 1;
                ++m_at;
            } else {
                ++m_at;
                continue; // inside a number, a word, or space
            }
            if (depth == 0 && c != ',')
                return;
        }
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

TextPlace placeAt(std::string_view text, std::size_t byte)
{
    TextPlace place;
    for (const char c : text.substr(0, byte)) {
        if (c == '\n')
            place = {place.line + 1, 1};
        else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) // not the rest of a UTF-8 character
            ++place.column;
    }
    return place;
}

TextPlace placeInJson(std::string_view json, std::string_view path)
{
    return placeAt(json, JsonWalk(json).find(stepsOf(path)));
}

} // namespace duo
