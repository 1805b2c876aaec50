// SPDX-License-Identifier: Apache-2.0
// Python regular expressions for PCRE2: the spellings that differ are rewritten, what Python refuses is refused.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace duo {

struct PatternProblem {
    std::size_t position = 0; // byte in the pattern
    std::string text;
};

/// A construct that other engines, or other versions of Python, read otherwise.
struct PatternRemark {
    std::size_t position = 0; // byte in the pattern
    std::string text; // one sentence
    bool operator==(const PatternRemark&) const = default;
};

struct TranslatedPattern {
    std::string pcre; // UTF-8, to be compiled with UTF, UCP, newline LF, ALT_CIRCUMFLEX
    std::vector<PatternRemark> remarks; // in order of position
    std::vector<std::vector<std::string>> lookBehinds; // alternatives of each, where there are several
};

/// A pattern of Python's `re` (3.11) in PCRE2 spelling with the same meaning. Groups are numbered, names and references
/// resolved; verbose space and comments are gone; `\Z` is the very end, `{,n}` counts from zero, `\s` holds the four
/// separators U+001C to U+001F, `[` inside a class is a letter. What Python refuses (unknown escapes and extensions,
/// nothing or too much to repeat, global flags behind the start, references to groups that are open or not there) is a
/// problem, even where PCRE2 would take it. Not read: `\N{name}`, and the flags a and L. O(length).
std::variant<TranslatedPattern, PatternProblem> translatePythonPattern(std::string_view pattern);

} // namespace duo
