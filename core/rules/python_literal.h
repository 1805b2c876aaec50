// SPDX-License-Identifier: Apache-2.0
// Python literals, names and calls as a tree: what configurations are written with, and no more of the language.
#pragma once

#include "core/support/text_problem.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace duo {

struct PythonEntry;

struct PythonValue {
    enum class Kind { None, Flag, Number, Text, List, Dict, Path, Call };
    Kind kind = Kind::None;
    bool flag = false;
    std::string text; // Text: its content; Number: as written
    std::vector<std::string> path; // Path: model.layer[0] is model, layer, 0; Call: of what is called
    std::vector<PythonValue> items; // List (lists, tuples, sets): elements; Call: positional arguments
    std::vector<PythonEntry> named; // Dict: keys, which are texts; Call: keyword arguments
    std::size_t at = 0; // first byte in the text

    [[nodiscard]] const PythonValue* argument(std::string_view name) const; // null if absent
};

struct PythonEntry {
    std::string name;
    PythonValue value;
};

/// `name = value` or a value alone; import lines and comments before it are skipped.
struct PythonAssignment {
    std::string name; // "" if there is none
    PythonValue value;
};

/// Reads one assignment or expression. `X.get_submodule("a.b")` is the path X.a.b. Nothing is evaluated: operators,
/// f-strings and comprehensions are problems. At most 64 levels deep; O(length).
std::variant<PythonAssignment, TextProblem> parsePython(std::string_view text);

/// A value made of literals as JSON; paths and calls become texts like "nncf.Dataset(...)".
nlohmann::ordered_json pythonJson(const PythonValue& value);

/// A text as a Python literal: JSON's spelling is Python's too, as long as letters beyond ASCII stay as they are.
std::string pythonString(const std::string& text);

} // namespace duo
