// SPDX-License-Identifier: Apache-2.0
// What each rule catches, as JSON and as text.
#pragma once

#include "core/model/model.h"
#include "core/rules/match.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace duo {

/// The document of `match` (resources/schemas/match.schema.json).
/// @param effective [rules] the nodes whose treatment the rule really changes
nlohmann::ordered_json matchJson(
    const Model& model, const RuleSet& rules, const RuleHits& hits, const std::vector<std::vector<NodeId>>& effective);

/// Per rule a line with counts and what to try instead, then how many nodes are ignored and targeted.
std::string matchText(
    const Model& model, const RuleSet& rules, const RuleHits& hits, const std::vector<std::vector<NodeId>>& effective);

} // namespace duo
