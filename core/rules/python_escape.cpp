// SPDX-License-Identifier: Apache-2.0
#include "core/rules/python_escape.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace duo {
namespace {

constexpr std::string_view kSeparators = "\\x{1c}-\\x{1f}"; // space to Python, not to PCRE2

bool isLetterOrDigit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

char at(std::string_view pattern, std::size_t index)
{
    return index < pattern.size() ? pattern[index] : '\0';
}

std::size_t characterLength(std::string_view pattern, std::size_t start)
{
    std::size_t end = start + 1;
    while (end < pattern.size() && (static_cast<unsigned char>(pattern[end]) & 0xC0U) == 0x80U)
        ++end;
    return end - start;
}

PythonEscape hexEscape(std::string_view pattern, std::size_t start)
{
    const char letter = at(pattern, start + 1);
    const std::size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : 8;
    const std::string_view hex = pattern.substr(std::min(start + 2, pattern.size()), digits);
    unsigned code = 0;
    const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), code, 16);
    PythonEscape read;
    read.length = 2 + digits;
    if (hex.size() < digits || error != std::errc{} || end != hex.data() + hex.size())
        read.problem = std::string("incomplete escape \\") + letter;
    else if (code > 0x10FFFFU)
        read.problem = std::string("bad escape \\") + letter;
    else if (code >= 0xD800U && code <= 0xDFFFU)
        read.problem = "a surrogate is no character of a name";
    else
        read.pcre = codePointPcre(code);
    return read;
}

/// "\0", "\012", and inside a class also "\7": up to three octal digits.
PythonEscape octalEscape(std::string_view pattern, std::size_t start)
{
    PythonEscape read;
    unsigned code = 0;
    std::size_t end = start + 1;
    for (; end < start + 4 && at(pattern, end) >= '0' && at(pattern, end) <= '7'; ++end)
        code = code * 8 + static_cast<unsigned>(at(pattern, end) - '0');
    read.length = end - start;
    read.pcre = codePointPcre(code);
    if (code > 0377)
        read.problem = "octal escape value outside of range 0-0o377";
    return read;
}

PythonEscape setEscape(char letter, bool inClass)
{
    PythonEscape read;
    read.length = 2;
    read.isSet = true;
    read.remark = "it knows all letters, digits or spaces of Unicode, as in Python; other engines may know ASCII only";
    const std::string separators(kSeparators);
    if (letter == 's')
        read.pcre = inClass ? "\\s" + separators : "[\\s" + separators + "]";
    else if (letter == 'S' && !inClass)
        read.pcre = "[^\\s" + separators + "]";
    else
        read.pcre = std::string("\\") + letter;
    return read;
}

PythonEscape letterEscape(char letter, bool inClass)
{
    PythonEscape read;
    read.length = 2;
    const std::string bad = std::string("bad escape \\") + letter;
    switch (letter) {
    case 'a':
        read.pcre = "\\x{07}";
        break;
    case 'f':
        read.pcre = "\\x{0c}";
        break;
    case 'n':
        read.pcre = "\\x{0a}";
        break;
    case 'r':
        read.pcre = "\\x{0d}";
        break;
    case 't':
        read.pcre = "\\x{09}";
        break;
    case 'v':
        read.pcre = "\\x{0b}";
        read.remark = "the vertical tab alone, as in Python; other engines take any vertical space";
        break;
    case 'b':
        read.pcre = inClass ? "\\x{08}" : "\\b";
        read.isAnchor = !inClass;
        break;
    case 'B': // Python finds none in an empty text
        read.pcre = "(?!\\A\\z)\\B";
        read.isAnchor = true;
        read.problem = inClass ? bad : "";
        break;
    case 'A':
        read.pcre = "\\A";
        read.isAnchor = true;
        read.problem = inClass ? bad : "";
        break;
    case 'Z':
        read.pcre = "\\z";
        read.isAnchor = true;
        read.remark = "the very end, as in Python; other engines let a line break follow";
        read.problem = inClass ? bad : "";
        break;
    case 'N':
        read.problem = "named characters are not read: write \\u and four digits";
        break;
    default:
        read.problem = bad;
    }
    return read;
}

/// One member of a class: a character or an escape.
PythonEscape member(std::string_view pattern, std::size_t start)
{
    const char c = pattern[start];
    if (c == '\\')
        return readPythonEscape(pattern, start, true);
    PythonEscape read;
    read.length = characterLength(pattern, start);
    read.pcre = pattern.substr(start, read.length);
    if (read.length == 1 && !isLetterOrDigit(c) && static_cast<unsigned char>(c) > 0x20U)
        read.pcre = std::string("\\") + c; // "[:", "--" and the like mean nothing in Python
    return read;
}

} // namespace

std::string codePointPcre(unsigned codePoint)
{
    std::array<char, 8> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), codePoint, 16).ptr;
    return "\\x{" + std::string(digits.data(), end) + "}";
}

PythonEscape readPythonEscape(std::string_view pattern, std::size_t start, bool inClass)
{
    PythonEscape read;
    if (start + 1 >= pattern.size()) {
        read.problem = "bad escape at the end";
        return read;
    }
    const char c = pattern[start + 1];
    if (c == 'x' || c == 'u' || c == 'U')
        return hexEscape(pattern, start);
    if (c == '0' || (inClass && c >= '1' && c <= '7'))
        return octalEscape(pattern, start);
    if (std::string_view("dDsSwW").find(c) != std::string_view::npos)
        return setEscape(c, inClass);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
        return letterEscape(c, inClass);
    if (c == '8' || c == '9') {
        read.problem = std::string("bad escape \\") + c;
        return read;
    }
    const std::size_t length = characterLength(pattern, start + 1);
    read.length = 1 + length;
    read.pcre = length == 1 ? std::string(pattern.substr(start, 2)) : std::string(pattern.substr(start + 1, length));
    return read;
}

PythonClass readPythonClass(std::string_view pattern, std::size_t start)
{
    PythonClass read;
    read.pcre = "[";
    std::size_t here = start + 1;
    if (at(pattern, here) == '^') {
        read.pcre += "^";
        ++here;
    }
    const auto fail = [&](std::size_t where, std::string text) {
        read.problem = std::move(text);
        read.problemAt = where;
        return read;
    };
    const std::size_t first = here;
    while (here < pattern.size() && (pattern[here] != ']' || here == first)) {
        const std::size_t memberAt = here;
        PythonEscape low = member(pattern, here);
        if (!low.problem.empty())
            return fail(here, low.problem);
        if (!low.remark.empty())
            read.remarks.push_back({here, low.remark});
        here += low.length;
        const bool isRange = at(pattern, here) == '-' && here + 1 < pattern.size() && pattern[here + 1] != ']';
        if (!isRange) {
            read.pcre += low.pcre;
            continue;
        }
        const PythonEscape high = member(pattern, here + 1);
        if (!high.problem.empty())
            return fail(here + 1, high.problem);
        here += 1 + high.length;
        if (low.isSet || high.isSet)
            return fail(memberAt, "bad character range " + std::string(pattern.substr(memberAt, here - memberAt)));
        read.pcre += low.pcre + "-" + high.pcre;
    }
    if (here >= pattern.size())
        return fail(start, "unterminated character set");
    read.pcre += "]";
    read.length = here + 1 - start;
    return read;
}

} // namespace duo
