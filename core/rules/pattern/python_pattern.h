// SPDX-License-Identifier: Apache-2.0
// Python regular expressions for PCRE2: the spellings that differ are rewritten, what Python refuses is refused.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace duo {

struct PatternProblem {
    std::size_t position = 0; // byte in the pattern
    std::string text;
};

/// A pattern of Python's `re` (3.11) in PCRE2 spelling with the same meaning: `\Z` is the very end, `{,n}` counts from
/// zero, `[` inside a class is a letter, `\u1234` is a code point. Escapes and groups that Python does not know are
/// problems, even where PCRE2 knows them. Quantifiers and brackets are left to PCRE2's own check. O(length).
std::variant<std::string, PatternProblem> translatePythonPattern(std::string_view pattern);

} // namespace duo
