// SPDX-License-Identifier: Apache-2.0
#include "core/rules/pattern/python_pattern.h"

#include <algorithm>
#include <optional>

namespace duo {
namespace {

constexpr std::string_view kKnownEscapes = "AbBdDsSwWZaftnrvx\\"; // the letters Python gives a meaning to

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool isHex(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Walks one pattern; every function consumes what it names and appends its PCRE2 spelling.
class Translator
{
public:
    explicit Translator(std::string_view pattern)
        : m_pattern(pattern)
    {
    }

    std::variant<std::string, PatternProblem> run()
    {
        while (m_at < m_pattern.size() && !m_problem)
            step();
        if (m_problem)
            return *m_problem;
        return std::move(m_out);
    }

private:
    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_pattern.size() ? m_pattern[m_at + ahead] : '\0'; }
    void copy(std::size_t count)
    {
        m_out += m_pattern.substr(m_at, count);
        m_at += std::min(count, m_pattern.size() - m_at);
    }
    void fail(std::size_t position, std::string text)
    {
        if (!m_problem)
            m_problem = PatternProblem{position, std::move(text)};
    }

    void step()
    {
        switch (peek()) {
        case '\\':
            escape(false);
            break;
        case '[':
            characterClass();
            break;
        case '(':
            group();
            break;
        case '{':
            if (peek(1) == ',' && isDigit(peek(2))) { // "{,3}": PCRE2 10.42 reads it as text
                m_out += "{0";
                ++m_at;
                break;
            }
            copy(1);
            break;
        default:
            copy(1);
        }
    }

    void codePoint(std::size_t digits)
    {
        const std::string_view hex = m_pattern.substr(std::min(m_at + 2, m_pattern.size()), digits);
        if (hex.size() < digits || !std::all_of(hex.begin(), hex.end(), isHex))
            return fail(m_at, "incomplete escape \\" + std::string(1, peek(1)));
        m_out += "\\x{" + std::string(hex) + "}";
        m_at += 2 + digits;
    }

    void escape(bool inClass)
    {
        const char c = peek(1);
        if (m_at + 1 >= m_pattern.size())
            return fail(m_at, "bad escape at the end");
        if (c == 'u' || c == 'U')
            return codePoint(c == 'u' ? 4 : 8);
        if (c == 'x')
            return codePoint(2);
        const bool isAnchor = c == 'A' || c == 'B' || c == 'Z';
        if (isLetter(c) && (kKnownEscapes.find(c) == std::string_view::npos || (inClass && isAnchor)))
            return fail(m_at, std::string("bad escape \\") + c);
        if (c == 'Z') {
            m_out += "\\z";
            m_at += 2;
            return;
        }
        if (c == 'v') { // PCRE2 takes \v as any vertical space
            m_out += "\\x{0b}";
            m_at += 2;
            return;
        }
        copy(2);
    }

    void characterClass()
    {
        const std::size_t start = m_at;
        copy(1);
        if (peek() == '^')
            copy(1);
        if (peek() == ']')
            copy(1);
        while (m_at < m_pattern.size() && peek() != ']' && !m_problem) {
            if (peek() == '\\')
                escape(true);
            else if (peek() == '[') { // a letter in Python, the start of [:alpha:] in PCRE2
                m_out += "\\[";
                ++m_at;
            } else
                copy(1);
        }
        if (m_at >= m_pattern.size())
            return fail(start, "unterminated character set");
        copy(1);
    }

    void group()
    {
        if (peek(1) == '*')
            return fail(m_at + 1, "nothing to repeat");
        if (peek(1) != '?')
            return copy(1);
        const char kind = peek(2);
        if (kind == 'P') {
            if (peek(3) != '<' && peek(3) != '=')
                return fail(m_at + 1, "unknown extension ?P" + std::string(m_pattern.substr(m_at + 3, 1)));
            return copy(4);
        }
        if (kind == '#')
            return comment();
        if (kind == '<' && peek(3) != '=' && peek(3) != '!')
            return fail(m_at + 1, "unknown extension ?<" + std::string(m_pattern.substr(m_at + 3, 1)));
        if (kind == ':' || kind == '=' || kind == '!' || kind == '<' || kind == '>' || kind == '(')
            return copy(3);
        flags();
    }

    void comment()
    {
        const std::size_t end = m_pattern.find(')', m_at);
        if (end == std::string_view::npos)
            return fail(m_at, "missing ), unterminated comment");
        m_at = end + 1;
    }

    /// "(?i)" at the start, or "(?i-s:"; `u` is what Python does anyway, `a` would change \w and is refused.
    void flags()
    {
        const std::size_t start = m_at;
        std::string kept;
        std::size_t at = m_at + 2;
        for (; at < m_pattern.size() && m_pattern[at] != ')' && m_pattern[at] != ':'; ++at) {
            const char c = m_pattern[at];
            if (std::string_view("imsxu-").find(c) == std::string_view::npos)
                return fail(start + 1, std::string("unknown extension ?") + c);
            if (c != 'u')
                kept += c;
        }
        if (at >= m_pattern.size())
            return fail(start, "missing ), unterminated flags");
        if (m_pattern[at] == ')' && start != 0)
            return fail(start, "global flags not at the start of the expression");
        m_out += "(?" + kept + m_pattern[at];
        m_at = at + 1;
    }

    std::string_view m_pattern;
    std::size_t m_at = 0;
    std::string m_out;
    std::optional<PatternProblem> m_problem;
};

} // namespace

std::variant<std::string, PatternProblem> translatePythonPattern(std::string_view pattern)
{
    return Translator(pattern).run();
}

} // namespace duo
