// SPDX-License-Identifier: Apache-2.0
#include "core/graph/dot_text.h"

#include "core/support/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace duo {
namespace {

/// Bytes of the UTF-8 sequence at the start of the text; 0 if there is none.
std::size_t sequenceLength(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80 ? 1
        : lead < 0xC2                      ? 0
        : lead < 0xE0                      ? 2
        : lead < 0xF0                      ? 3
        : lead < 0xF5                      ? 4
                                           : 0;
    if (length > text.size())
        return 0;
    return std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(length, 1)),
               isContinuation)
        ? length
        : 0;
}

std::string markupOf(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return {static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c};
    }
}

} // namespace

std::string dotQuoted(std::string_view text)
{
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            quoted += '\\';
        quoted += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    }
    return quoted + "\"";
}

std::string dotTip(std::string_view text)
{
    std::string plain;
    for (const char c : text) {
        if (c == '&')
            plain += "&amp;";
        else if (c == '\\')
            plain += "\\\\"; // halved twice
        else
            plain += c;
    }
    return dotQuoted(plain);
}

std::string dotMarkup(std::string_view text)
{
    std::string markup;
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        if (length == 0)
            markup += '?';
        else if (length == 1)
            markup += markupOf(text.front());
        else
            markup += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return markup;
}

std::string dotNumber(double value, int decimals)
{
    std::array<char, 400> buffer{};
    const double unit = std::pow(10, decimals);
    const double rounded = std::round(value * unit) / unit;
    const auto end = std::to_chars(
        buffer.data(), buffer.data() + buffer.size(), rounded == 0 ? 0.0 : rounded, std::chars_format::fixed, decimals);
    std::string text(buffer.data(), end.ptr);
    if (text.find('.') == std::string::npos)
        return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

std::size_t textLength(std::string_view text)
{
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !isContinuation(c); }));
}

std::string shortened(std::string_view text, std::size_t most)
{
    const std::size_t length = textLength(text);
    if (length <= most)
        return std::string(text);
    const std::size_t head = (most - 1) / 2;
    const std::size_t tailStart = length - (most - 1 - head);
    std::string result;
    std::size_t point = 0;
    for (const char c : text) {
        point += isContinuation(c) ? 0 : 1; // number of the point this byte belongs to, from 1
        if (point == head + 1 && !isContinuation(c))
            result += "…";
        if (point <= head || point > tailStart)
            result += c;
    }
    return result;
}

} // namespace duo
