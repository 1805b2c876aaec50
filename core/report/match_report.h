// SPDX-License-Identifier: Apache-2.0
// What each rule catches and changes, as JSON and as text.
#pragma once

#include "core/model/model.h"
#include "core/quantize/rule_effects.h"
#include "core/rules/match.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace duo {

/// The document of `match` (resources/schemas/match.schema.json).
/// @param effects [rules]
nlohmann::ordered_json matchJson(
    const Model& model, const RuleSet& rules, const RuleHits& hits, const std::vector<RuleEffect>& effects);

/// Per rule a line with counts, what it catches, why it has no effect on some, and what to try instead; then how many
/// nodes are ignored and targeted.
std::string matchText(
    const Model& model, const RuleSet& rules, const RuleHits& hits, const std::vector<RuleEffect>& effects);

/// Of an enabled rule that catches nothing, or cannot be evaluated: so, and what was probably meant.
std::string unmatchedText(const Rule& rule, const RuleHit& hit);

} // namespace duo
