// SPDX-License-Identifier: Apache-2.0
// Arguments, nodes and graphs of an exported program, from their JSON.
#pragma once

#include "core/formats/pt2/exported_program.h"

#include <nlohmann/json.hpp>

namespace duo {

/// The union `Argument` of schema.py. Its recursion is bounded by the nesting that readJsonPieces allows.
ExportArgument readArgument(const nlohmann::ordered_json& json);

ExportNode readExportNode(const nlohmann::ordered_json& json);

/// Type of a symbolic number from `sym_int_values` and the like: a scalar.
ValueType symbolicNumberType(std::string_view container);

ValueType tensorValueType(const nlohmann::ordered_json& tensorMeta);

} // namespace duo
