// SPDX-License-Identifier: Apache-2.0
#include "core/rules/python_tokens.h"

#include "core/support/digits.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

namespace duo {
namespace {

bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80U;
}

void appendUtf8(std::string& into, std::uint32_t code)
{
    const auto byte = [&](std::uint32_t bits) { into += static_cast<char>(static_cast<unsigned char>(bits)); };
    if (code < 0x80U) {
        byte(code);
    } else if (code < 0x800U) {
        byte(0xC0U | (code >> 6U));
        byte(0x80U | (code & 0x3FU));
    } else if (code < 0x10000U) {
        byte(0xE0U | (code >> 12U));
        byte(0x80U | ((code >> 6U) & 0x3FU));
        byte(0x80U | (code & 0x3FU));
    } else {
        byte(0xF0U | (code >> 18U));
        byte(0x80U | ((code >> 12U) & 0x3FU));
        byte(0x80U | ((code >> 6U) & 0x3FU));
        byte(0x80U | (code & 0x3FU));
    }
}

/// The letter of a one-letter escape, or nothing.
std::optional<char> simpleEscape(char c)
{
    constexpr std::string_view kLetters = "abfnrtv\\'\"";
    constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
    const std::size_t found = kLetters.find(c);
    return found == std::string_view::npos ? std::nullopt : std::optional<char>(kMeanings[found]);
}

} // namespace

PythonTokens::PythonTokens(std::string_view text)
    : m_text(text)
{
    m_token = read();
}

PythonToken PythonTokens::take()
{
    PythonToken token = std::move(m_token);
    m_token = read();
    return token;
}

void PythonTokens::skipLine()
{
    m_at = std::min(m_text.find('\n', m_token.at), m_text.size());
    m_token = read();
}

void PythonTokens::skipSpace()
{
    while (m_at < m_text.size()) {
        const char c = m_text[m_at];
        if (c == '#')
            m_at = std::min(m_text.find('\n', m_at), m_text.size());
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f')
            ++m_at;
        else if (c == '\\' && (at(m_at + 1) == '\n' || (at(m_at + 1) == '\r' && at(m_at + 2) == '\n')))
            m_at += 2;
        else
            return;
    }
}

PythonToken PythonTokens::read()
{
    skipSpace();
    const std::size_t start = m_at;
    const char c = at(m_at);
    if (m_at >= m_text.size())
        return {PythonToken::Kind::End, {}, start};
    if (c == '"' || c == '\'')
        return readText(start, false);
    if (isNameStart(c)) {
        while (m_at < m_text.size() && (isNameStart(at(m_at)) || isDigit(at(m_at))))
            ++m_at;
        const std::string_view name = m_text.substr(start, m_at - start);
        const bool isPrefix = name.size() <= 2 && (at(m_at) == '"' || at(m_at) == '\'');
        if (isPrefix && (name == "r" || name == "R" || name == "u" || name == "U"))
            return readText(start, name == "r" || name == "R");
        if (isPrefix)
            return {PythonToken::Kind::Bad, "bytes and f-strings are not read", start};
        return {PythonToken::Kind::Name, std::string(name), start};
    }
    const bool isSigned = c == '-' && (isDigit(at(m_at + 1)) || at(m_at + 1) == '.');
    if (isDigit(c) || isSigned || (c == '.' && isDigit(at(m_at + 1)))) {
        ++m_at;
        while (isDigit(at(m_at)) || isNameStart(at(m_at)) || at(m_at) == '.'
            || ((at(m_at) == '-' || at(m_at) == '+') && (at(m_at - 1) == 'e' || at(m_at - 1) == 'E')))
            ++m_at;
        return {PythonToken::Kind::Number, std::string(m_text.substr(start, m_at - start)), start};
    }
    ++m_at;
    return {PythonToken::Kind::Sign, std::string(1, c), start};
}

PythonToken PythonTokens::readText(std::size_t start, bool isRaw)
{
    const char quote = at(m_at);
    const bool isLong = at(m_at + 1) == quote && at(m_at + 2) == quote;
    const std::string end(isLong ? 3 : 1, quote);
    m_at += end.size();
    std::string content;
    std::string problem;
    while (m_at < m_text.size() && m_text.compare(m_at, end.size(), end) != 0) {
        if (at(m_at) == '\n' && !isLong)
            return {PythonToken::Kind::Bad, "a text that does not end on its line", start};
        if (at(m_at) != '\\' || m_at + 1 >= m_text.size()) {
            content += m_text[m_at++];
        } else if (isRaw) {
            content += m_text.substr(m_at, 2);
            m_at += 2;
        } else {
            content += readEscape(problem);
        }
    }
    if (m_at >= m_text.size())
        return {PythonToken::Kind::Bad, "a text that does not end", start};
    m_at += end.size();
    if (!problem.empty())
        return {PythonToken::Kind::Bad, problem, start};
    return {PythonToken::Kind::Text, std::move(content), start};
}

/// At a backslash with something behind it; an escape Python does not know stays as it is, as in Python.
std::string PythonTokens::readEscape(std::string& problem)
{
    const std::size_t start = m_at;
    const char c = at(m_at + 1);
    m_at += 2;
    if (c == '\n')
        return {};
    if (const auto letter = simpleEscape(c))
        return {*letter};
    const bool isOctal = c >= '0' && c <= '7';
    const std::size_t most = isOctal ? 3 : c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (most == 0) {
        if (c == 'N')
            problem = "named characters (\\N{...}) are not read";
        return std::string(m_text.substr(start, 2));
    }
    const std::size_t first = isOctal ? start + 1 : start + 2;
    const char* begin = m_text.data() + std::min(first, m_text.size());
    const char* end = begin + std::min(most, m_text.size() - std::min(first, m_text.size()));
    std::uint32_t code = 0;
    const auto [rest, error] = std::from_chars(begin, end, code, isOctal ? 8 : 16);
    m_at = first + static_cast<std::size_t>(rest - begin);
    const bool isWhole = error == std::errc{} && (isOctal || rest == begin + most);
    if (!isWhole || code > 0x10FFFFU || (code >= 0xD800U && code <= 0xDFFFU)) {
        problem = "an escape that is no character";
        return {};
    }
    std::string text;
    appendUtf8(text, code);
    return text;
}

} // namespace duo
