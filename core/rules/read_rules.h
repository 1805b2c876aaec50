// SPDX-License-Identifier: Apache-2.0
// Rules from texts that are no JSON: Python as NNCF, ONNX Runtime and FSDP are configured with, and plain lists.
#pragma once

#include "core/rules/imported_rules.h"
#include "core/support/text_problem.h"

#include <variant>

namespace duo {

/// `IgnoredScope(...)`, `nodes_to_exclude=[...]`, `ignored_modules=[...]`, a list of texts (node names) or of modules,
/// a dict as the JSON forms have it, or a call with one of these as an argument. A module is `model.layer[0]` or
/// `model.get_submodule("layer.0")`: its first name is the model.
std::variant<ImportedRules, TextProblem> rulesFromPython(std::string_view text);

/// A node name per line; spaces around it and empty lines are left out.
ImportedRules rulesFromLines(std::string_view text);

/// True if a text looks like Python rather than like a list of names.
bool looksLikePython(std::string_view text);

} // namespace duo
