// SPDX-License-Identifier: Apache-2.0
// Escapes and character classes of Python patterns in PCRE2 spelling.
#pragma once

#include "core/rules/python_pattern.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

struct PythonEscape {
    std::string pcre;
    std::size_t length = 0; // bytes read, the backslash included
    bool isAnchor = false;
    bool isSet = false; // \d, \W: stands for several characters
    std::string remark; // "" if every engine reads it alike
    std::string problem; // "" if there is none
};

/// The escape at a backslash, except references to groups. @param inClass between brackets
PythonEscape readPythonEscape(std::string_view pattern, std::size_t at, bool inClass);

struct PythonClass {
    std::string pcre; // with its brackets
    std::size_t length = 0;
    std::vector<PatternRemark> remarks;
    std::string problem; // "" if there is none
    std::size_t problemAt = 0;
};

/// The class at a '['.
PythonClass readPythonClass(std::string_view pattern, std::size_t at);

std::string codePointPcre(unsigned codePoint); // "\x{41}"

} // namespace duo
