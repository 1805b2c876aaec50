// SPDX-License-Identifier: Apache-2.0
#include "core/support/visible_text.h"

#include "core/support/utf8.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace duo {
namespace {

struct Obeyed {
    std::size_t length = 0; // bytes; 0: none begins here
    unsigned code = 0;
};

bool turnsOrParts(unsigned code)
{
    return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E)
        || (code >= 0x2066 && code <= 0x2069);
}

/// A control that begins at `at`; all of them have at most three bytes.
Obeyed obeyedAt(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
    const unsigned first = byte(at);
    if (first < 0x20 || first == 0x7F)
        return {1, first};
    if (first >= 0x80 && first < 0xA0) // it begins no character: eight-bit terminals obey the byte
        return {1, first};
    if (first == 0xC2 && byte(at + 1) >= 0x80 && byte(at + 1) < 0xA0)
        return {2, byte(at + 1)};
    if (first == 0xD8 && byte(at + 1) == 0x9C)
        return {2, 0x061C};
    if (first == 0xE2 && (byte(at + 1) == 0x80 || byte(at + 1) == 0x81)) {
        const unsigned code = 0x2000U + ((byte(at + 1) & 0x3FU) << 6U) + (byte(at + 2) & 0x3FU);
        if ((byte(at + 2) & 0xC0U) == 0x80U && turnsOrParts(code))
            return {3, code};
    }
    return {};
}

/// `replaced(code)` in place of each.
template <typename Replaced> std::string withoutObeyed(std::string_view text, const Replaced& replaced)
{
    std::string visible;
    visible.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        if (const Obeyed obeyed = obeyedAt(text, at); obeyed.length > 0) {
            visible += replaced(obeyed.code);
            at += obeyed.length;
        } else {
            const std::size_t length = std::max(characterAt(text, at), std::size_t{1});
            visible += text.substr(at, length);
            at += length;
        }
    }
    return visible;
}

} // namespace

std::string visibleText(std::string_view text, bool keepLines)
{
    return withoutObeyed(text, [&](unsigned code) { return code != '\n' ? "?" : keepLines ? "\n" : "\\n"; });
}

std::string visibleJson(std::string_view json)
{
    return withoutObeyed(json, [](unsigned code) {
        if (code == '\n')
            return std::string("\n"); // between values
        std::array<char, 8> escape{};
        std::snprintf(escape.data(), escape.size(), "\\u%04x", code);
        return std::string(escape.data());
    });
}

} // namespace duo
