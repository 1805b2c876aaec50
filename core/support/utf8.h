// SPDX-License-Identifier: Apache-2.0
// UTF-8: what all texts are that are shown, compared or written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace duo {

/// Whether all of it is well-formed UTF-8 (no surrogates, nothing overlong, nothing above U+10FFFF). O(length).
bool isUtf8(std::string_view text);

/// Bytes of the well-formed character that begins at `at`, which is inside the text; 0: none does.
std::size_t characterAt(std::string_view text, std::size_t at);

/// The same text with U+FFFD for every byte that belongs to no character. O(length).
std::string asUtf8(std::string_view text);

/// Whether a character goes on with this byte, which does not begin one.
constexpr bool isContinuation(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

} // namespace duo
