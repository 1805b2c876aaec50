// SPDX-License-Identifier: Apache-2.0
#include "core/scope/facts/python_text.h"

#include <algorithm>
#include <charconv>

namespace duo {
namespace {

constexpr std::string_view kTarget = "target=";

void skipSpace(std::string_view text, std::size_t& at)
{
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t'))
        ++at;
}

void appendUtf8(std::string& out, std::uint32_t code)
{
    if (code < 0x80)
        out += static_cast<char>(code);
    else if (code < 0x800) {
        out += static_cast<char>(0xC0 | (code >> 6));
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | (code >> 12));
        out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | ((code >> 18) & 0x07));
        out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
        out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    }
}

/// After the backslash; `at` stands on the letter and ends behind the escape.
bool readEscape(std::string_view text, std::size_t& at, std::string& out)
{
    constexpr std::string_view kLetters = "nrt\\'\"";
    constexpr std::string_view kMeanings = "\n\r\t\\'\"";
    const char letter = at < text.size() ? text[at] : '\0';
    if (const std::size_t known = kLetters.find(letter); letter != '\0' && known != std::string_view::npos) {
        out += kMeanings[known];
        ++at;
        return true;
    }
    const std::size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    if (digits == 0 || at + 1 + digits > text.size())
        return false;
    std::uint32_t code = 0;
    const char* first = text.data() + at + 1;
    const auto [rest, error] = std::from_chars(first, first + digits, code, 16);
    if (error != std::errc{} || rest != first + digits || code > 0x10FFFF)
        return false;
    appendUtf8(out, code);
    at += 1 + digits;
    return true;
}

/// A literal in either quote; `at` stands on the quote and ends behind the literal.
std::optional<std::string> readString(std::string_view text, std::size_t& at)
{
    if (at >= text.size() || (text[at] != '\'' && text[at] != '"'))
        return std::nullopt;
    const char quote = text[at++];
    std::string out;
    while (at < text.size() && text[at] != quote) {
        const std::size_t plain = at;
        while (at < text.size() && text[at] != quote && text[at] != '\\')
            ++at;
        out += text.substr(plain, at - plain);
        if (at < text.size() && text[at] == '\\' && !readEscape(text, ++at, out))
            return std::nullopt;
    }
    if (at >= text.size())
        return std::nullopt;
    ++at;
    return out;
}

/// The target in the lines of later versions: not escaped at all, up to the last quote of the line, or to what follows.
std::optional<std::string> readRawTarget(std::string_view text, std::size_t& at)
{
    if (at >= text.size() || text[at] != '\'')
        return std::nullopt;
    const std::size_t line = std::min(text.find('\n', at), text.size());
    const std::size_t follows = text.substr(0, line).find("' persistent=", at);
    const std::size_t quote = follows != std::string_view::npos ? follows : text.substr(0, line).rfind('\'');
    if (quote <= at)
        return std::nullopt;
    std::string target(text.substr(at + 1, quote - at - 1));
    at = quote + 1;
    return target;
}

/// The placeholder in the text before a `target=`: `name='p_fc_weight'`, else what stands before the line's colon.
std::string placeholderIn(std::string_view segment)
{
    const std::size_t name = segment.rfind("name=");
    if (name != std::string_view::npos) {
        std::size_t at = name + 5;
        return readString(segment, at).value_or("");
    }
    const std::size_t line = segment.rfind('\n');
    const std::string_view last = line == std::string_view::npos ? segment : segment.substr(line + 1);
    return std::string(last.substr(0, last.find(':')));
}

bool isNameChar(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

} // namespace

std::optional<std::vector<std::string>> parsePythonStrings(std::string_view text)
{
    std::size_t at = 0;
    skipSpace(text, at);
    if (at >= text.size() || (text[at] != '[' && text[at] != '('))
        return std::nullopt;
    const char close = text[at++] == '[' ? ']' : ')';
    std::vector<std::string> strings;
    for (skipSpace(text, at); at < text.size() && text[at] != close; skipSpace(text, at)) {
        auto string = readString(text, at);
        if (!string)
            return std::nullopt;
        strings.push_back(std::move(*string));
        skipSpace(text, at);
        if (at < text.size() && text[at] == ',')
            ++at;
        else if (at >= text.size() || text[at] != close)
            return std::nullopt;
    }
    if (at >= text.size())
        return std::nullopt;
    return strings;
}

std::vector<SignatureEntry> parseGraphSignature(std::string_view text)
{
    std::vector<SignatureEntry> entries;
    std::size_t segmentStart = 0;
    for (std::size_t at = text.find(kTarget); at != std::string_view::npos; at = text.find(kTarget, at)) {
        const std::string_view segment = text.substr(segmentStart, at - segmentStart);
        at += kTarget.size();
        const bool isDataclass = segment.find("name=") != std::string_view::npos;
        auto target = isDataclass ? readString(text, at) : readRawTarget(text, at);
        const bool isInput
            = segment.find("PARAMETER") != std::string_view::npos || segment.find("BUFFER") != std::string_view::npos;
        const bool isOutput = segment.find("MUTATION") != std::string_view::npos
            || segment.find("OUTPUT") != std::string_view::npos || segment.find("GRADIENT") != std::string_view::npos;
        segmentStart = at;
        if (!target || !isInput || isOutput)
            continue;
        const std::size_t end = std::min(text.find_first_of("\n)", at), text.size());
        const bool isLeftOut = text.substr(at, end - at).find("persistent=False") != std::string_view::npos;
        entries.push_back({placeholderIn(segment), std::move(*target), !isLeftOut});
    }
    return entries;
}

std::vector<std::string_view> fxArguments(std::string_view fxNode)
{
    std::vector<std::string_view> names;
    bool isOwn = true;
    for (std::size_t at = fxNode.find('%'); at != std::string_view::npos; at = fxNode.find('%', at + 1)) {
        std::size_t end = at + 1;
        while (end < fxNode.size() && isNameChar(fxNode[end]))
            ++end;
        if (!isOwn && end > at + 1)
            names.push_back(fxNode.substr(at + 1, end - at - 1));
        isOwn = false;
    }
    return names;
}

std::string_view fxTarget(std::string_view fxNode)
{
    constexpr std::string_view kPrefix = "target=torch.ops.";
    const std::size_t start = fxNode.find(kPrefix);
    if (start == std::string_view::npos)
        return {};
    const std::string_view rest = fxNode.substr(start + kPrefix.size());
    return rest.substr(0, rest.find(']'));
}

FxNumber fxNumber(std::string_view fxName)
{
    FxNumber number{fxName, 0};
    const std::size_t underscore = fxName.rfind('_');
    if (underscore == std::string_view::npos)
        return number;
    const char* end = fxName.data() + fxName.size();
    const auto [rest, error] = std::from_chars(fxName.data() + underscore + 1, end, number.ordinal);
    if (error == std::errc{} && rest == end)
        number.series = fxName.substr(0, underscore);
    else
        number.ordinal = 0;
    return number;
}

} // namespace duo
