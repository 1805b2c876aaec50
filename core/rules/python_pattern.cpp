// SPDX-License-Identifier: Apache-2.0
#include "core/rules/python_pattern.h"

#include "core/rules/python_escape.h"
#include "core/rules/python_groups.h"
#include "core/support/digits.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace duo {
namespace {

constexpr std::string_view kPossessive = "possessive repetition needs Python 3.11 or newer";

/// What a quantifier would repeat.
enum class Before { Nothing, Anchor, Item, Repeated };

/// Walks one pattern; every function consumes what it names and appends its PCRE2 spelling.
class Translator
{
public:
    explicit Translator(std::string_view pattern)
        : m_pattern(pattern)
        , m_groups(pattern)
    {
    }

    std::variant<TranslatedPattern, PatternProblem> run()
    {
        while (m_at < m_pattern.size() && !m_problem)
            step();
        if (!m_problem && m_groups.isOpen())
            fail(m_groups.openedAt(), "missing ), unterminated subpattern");
        if (!m_problem)
            m_problem = m_groups.unresolved();
        if (m_problem)
            return *m_problem;
        m_result.lookBehinds = m_groups.takeLookBehinds();
        return std::move(m_result);
    }

private:
    [[nodiscard]] char peek(std::size_t ahead = 0) const
    {
        return m_at + ahead < m_pattern.size() ? m_pattern[m_at + ahead] : '\0';
    }
    void fail(std::size_t position, std::string text)
    {
        if (!m_problem)
            m_problem = PatternProblem{position, std::move(text)};
    }
    void remark(std::string_view text, std::size_t position)
    {
        const auto isSame = [&](const PatternRemark& known) { return known.text == text; };
        if (std::none_of(m_result.remarks.begin(), m_result.remarks.end(), isSame)) // once each
            m_result.remarks.push_back({position, std::string(text)});
    }
    void emit(std::string_view text, Before before)
    {
        m_result.pcre += text;
        m_before = before;
        m_hasItems = true;
    }

    void step()
    {
        const char c = peek();
        if (m_groups.isVerbose() && skipVerbose(c))
            return;
        switch (c) {
        case '\\':
            return escape();
        case '[':
            return characterClass();
        case '(':
            return open();
        case ')':
            return close();
        case '|':
            if (auto problem = m_groups.alternative(m_result.pcre.size()))
                return fail(m_at, *problem);
            ++m_at;
            return emit("|", Before::Nothing);
        case '{':
            return braces();
        case '*':
        case '+':
        case '?':
            return repeat(std::string(1, c), 1);
        case '^':
        case '$':
            ++m_at;
            return emit(c == '^' ? "^" : "$", Before::Anchor);
        default:
            return letter();
        }
    }

    bool skipVerbose(char c)
    {
        if (c == '#') {
            m_at = std::min(m_pattern.find('\n', m_at), m_pattern.size());
            return true;
        }
        if (std::string_view(" \t\n\r\v\f").find(c) == std::string_view::npos)
            return false;
        ++m_at;
        return true;
    }

    /// One character of UTF-8, so that a quantifier repeats all its bytes; '#' and space mean themselves here.
    void letter()
    {
        const std::size_t start = m_at++;
        while (m_at < m_pattern.size() && (static_cast<unsigned char>(m_pattern[m_at]) & 0xC0U) == 0x80U)
            ++m_at;
        emit(m_pattern.substr(start, m_at - start), Before::Item);
    }

    void braces()
    {
        std::size_t at = m_at + 1;
        const auto digits = [&] {
            const std::size_t start = at;
            while (at < m_pattern.size() && isDigit(m_pattern[at]))
                ++at;
            return std::string(m_pattern.substr(start, at - start));
        };
        const std::string low = digits();
        const bool hasComma = at < m_pattern.size() && m_pattern[at] == ',';
        at += hasComma ? 1 : 0;
        const std::string high = hasComma ? digits() : low;
        const bool isEnded = at < m_pattern.size() && m_pattern[at] == '}';
        if (!isEnded || at == m_at + 1) { // "{}" and all that is no count are letters
            ++m_at;
            return emit("\\{", Before::Item);
        }
        if (low.size() > 9 || high.size() > 9)
            return fail(m_at, "the repetition number is too large");
        if (!low.empty() && !high.empty() && number(low) > number(high))
            return fail(m_at, "min repeat greater than max repeat");
        if (low.empty())
            remark("a count from zero; other engines read it as letters", m_at);
        repeat("{" + (low.empty() ? "0" : low) + (hasComma ? "," + high : "") + "}", at + 1 - m_at);
    }

    static long number(const std::string& digits)
    {
        long value = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return value;
    }

    void repeat(const std::string& quantifier, std::size_t length)
    {
        if (m_before == Before::Nothing || m_before == Before::Anchor)
            return fail(m_at, "nothing to repeat");
        if (m_before == Before::Repeated)
            return fail(m_at, "multiple repeat");
        const std::size_t start = m_at;
        m_at += length;
        emit(quantifier, Before::Repeated);
        if (peek() == '?') {
            ++m_at;
            m_result.pcre += '?';
        } else if (peek() == '+') {
            remark(kPossessive, start);
            ++m_at;
            m_result.pcre += '+';
        }
    }

    void escape()
    {
        const char c = peek(1);
        if (c >= '1' && c <= '9')
            return reference();
        const PythonEscape read = readPythonEscape(m_pattern, m_at, false);
        if (!read.problem.empty())
            return fail(m_at, read.problem);
        if (!read.remark.empty())
            remark(read.remark, m_at);
        m_at += read.length;
        emit(read.pcre, read.isAnchor ? Before::Anchor : Before::Item);
    }

    /// "\12" is a group, "\123" in octal digits a character, as Python counts.
    void reference()
    {
        const auto isOctal = [](char c) { return c >= '0' && c <= '7'; };
        if (isOctal(peek(1)) && isOctal(peek(2)) && isOctal(peek(3))) {
            const int code = (peek(1) - '0') * 64 + (peek(2) - '0') * 8 + (peek(3) - '0');
            if (code > 0377)
                return fail(m_at, "octal escape value outside of range 0-0o377");
            m_at += 4;
            return emit(codePointPcre(static_cast<unsigned>(code)), Before::Item);
        }
        const std::size_t digits = isDigit(peek(2)) ? 2 : 1;
        const std::string number(m_pattern.substr(m_at + 1, digits));
        if (auto problem = m_groups.checkReference(number))
            return fail(m_at, *problem);
        m_at += 1 + digits;
        emit("\\g{" + number + "}", Before::Item);
    }

    void characterClass()
    {
        const std::size_t start = m_at;
        const PythonClass read = readPythonClass(m_pattern, m_at);
        if (!read.problem.empty())
            return fail(read.problemAt, read.problem);
        for (const PatternRemark& found : read.remarks)
            remark(found.text, found.position);
        m_at = start + read.length;
        emit(read.pcre, Before::Item);
    }

    void open()
    {
        const PythonGroups::Opening opening = m_groups.open(m_at, m_result.pcre.size(), m_hasItems);
        if (opening.problem)
            return fail(opening.problem->position, opening.problem->text);
        if (!opening.remark.empty())
            remark(opening.remark, m_at);
        m_at += opening.length;
        if (opening.isGroup || opening.isReference)
            emit(opening.pcre, opening.isGroup ? Before::Nothing : Before::Item);
        else
            m_result.pcre += opening.pcre; // flags, or a comment
    }

    void close()
    {
        if (!m_groups.isOpen())
            return fail(m_at, "unbalanced parenthesis");
        m_groups.close(m_result.pcre);
        ++m_at;
        emit(")", Before::Item);
    }

    std::string_view m_pattern;
    PythonGroups m_groups;
    std::size_t m_at = 0;
    Before m_before = Before::Nothing;
    bool m_hasItems = false; // anything but flags and comments was read
    TranslatedPattern m_result;
    std::optional<PatternProblem> m_problem;
};

} // namespace

std::variant<TranslatedPattern, PatternProblem> translatePythonPattern(std::string_view pattern)
{
    return Translator(pattern).run();
}

} // namespace duo
