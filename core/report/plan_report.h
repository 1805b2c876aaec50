// SPDX-License-Identifier: Apache-2.0
// Where quantizers go and what is decided about every node, as JSON and as text.
#pragma once

#include "core/quantize/placement.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// The document of `plan` (resources/schemas/plan.schema.json): the setup with NNCF's keys, decisions and notes.
nlohmann::ordered_json planJson(const Model& model, const Placement& placement);

/// Nodes by state, then a line per quantizer, then notes.
std::string planText(const Model& model, const Placement& placement);

} // namespace duo
