// SPDX-License-Identifier: Apache-2.0
// TextPlace: line and column of something in a text, so that an editor can mark it.
#pragma once

#include <cstddef>
#include <string_view>

namespace duo {

struct TextPlace {
    std::size_t line = 1;
    std::size_t column = 1; // characters of UTF-8, not bytes
    bool operator==(const TextPlace&) const = default;
};

/// O(byte); behind the end is the end.
TextPlace placeAt(std::string_view text, std::size_t byte);

/// Where the value at a path such as `rules[2].value` starts in a valid JSON text; the innermost value on the way that
/// is there, the document itself for "". Of equal keys the last one, as parsers read it. O(length).
TextPlace placeInJson(std::string_view json, std::string_view path);

} // namespace duo
