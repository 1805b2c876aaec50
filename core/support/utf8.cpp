// SPDX-License-Identifier: Apache-2.0
#include "core/support/utf8.h"

namespace duo {
namespace {

struct Lead {
    std::size_t length = 0; // bytes of the character; 0: none begins so
    unsigned char least = 0x80; // of the second byte
    unsigned char most = 0xBF;
};

/// Table 3-7 of the Unicode standard.
Lead leadOf(unsigned char first)
{
    if (first < 0x80)
        return {1};
    if (first < 0xC2 || first > 0xF4)
        return {0};
    if (first < 0xE0)
        return {2};
    if (first < 0xF0)
        return {3, static_cast<unsigned char>(first == 0xE0 ? 0xA0 : 0x80),
            static_cast<unsigned char>(first == 0xED ? 0x9F : 0xBF)};
    return {4, static_cast<unsigned char>(first == 0xF0 ? 0x90 : 0x80),
        static_cast<unsigned char>(first == 0xF4 ? 0x8F : 0xBF)};
}

} // namespace

std::size_t characterAt(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const Lead lead = leadOf(byte(at));
    if (lead.length < 2)
        return lead.length;
    if (text.size() - at < lead.length || byte(at + 1) < lead.least || byte(at + 1) > lead.most)
        return 0;
    for (std::size_t i = at + 2; i < at + lead.length; ++i) {
        if (byte(i) < 0x80 || byte(i) > 0xBF)
            return 0;
    }
    return lead.length;
}

bool isUtf8(std::string_view text)
{
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = characterAt(text, at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

std::string asUtf8(std::string_view text)
{
    std::string valid;
    valid.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = characterAt(text, at);
        if (length == 0)
            valid += "\xEF\xBF\xBD";
        else
            valid += text.substr(at, length);
        at += length == 0 ? 1 : length;
    }
    return valid;
}

} // namespace duo
