// SPDX-License-Identifier: Apache-2.0
// Dot text: quoting, escaping, shortening and numbers for .dot files, whatever the locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace duo {

/// "text" in quotes; quotes and backslashes escaped, line breaks and other control characters as spaces.
std::string dotQuoted(std::string_view text);

/// A tool tip in quotes: what Graphviz would read as an entity or as an escape of its own (`\\N`, a node's name) is
/// text.
std::string dotTip(std::string_view text);

/// Text inside an HTML-like label: markup escaped, control characters as spaces, bytes that are no UTF-8 as "?".
std::string dotMarkup(std::string_view text);

/// At most `decimals` decimals (0..6), no exponent, "." as separator.
std::string dotNumber(double value, int decimals = 2);

/// Code points of UTF-8 text.
std::size_t textLength(std::string_view text);

/// At most `most` code points; what is longer loses its middle to "…".
std::string shortened(std::string_view text, std::size_t most);

} // namespace duo
