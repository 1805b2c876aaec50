// SPDX-License-Identifier: Apache-2.0
// Texts of files where a terminal reads them.
#pragma once

#include <string>
#include <string_view>

namespace duo {

/// The same text with `?` for each character that a terminal obeys instead of showing: C0 and C1 controls, also as
/// single bytes, DEL, line and paragraph separators, and those that turn the direction of what follows. Line breaks
/// become `\n`, unless `keepLines`. O(length).
std::string visibleText(std::string_view text, bool keepLines = false);

/// JSON with the same characters as `\uXXXX`: it means the same.
std::string visibleJson(std::string_view json);

} // namespace duo
