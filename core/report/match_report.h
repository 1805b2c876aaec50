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

/// What rules come to, with the placements that the effects are told by.
struct MatchedRules {
    const Model& model;
    const RuleSet& rules;
    const RuleHits& hits; // [rules]
    const std::vector<RuleEffect>& effects; // [rules]
    const Placement* placement; // with the rules; as ruleEffects()
    const Placement* unruled;
};

/// The document of `match` (resources/schemas/match.schema.json).
nlohmann::ordered_json matchJson(const MatchedRules& matched);

/// Per rule a line with counts, what it catches, why it has no effect on some, and what to try instead; then how many
/// nodes are ignored and targeted.
std::string matchText(const MatchedRules& matched);

/// Why a rule has no effect on some of its nodes: "rule 2 already ignores it". Rules are numbered from 1.
std::string idleText(const MatchedRules& matched, std::size_t rule, const IdleCause& cause);

/// What is odd about a rule: "matches 1 node, but has no effect: Det computes in float"; "" if nothing is.
std::string ruleFinding(const MatchedRules& matched, std::size_t rule);

/// Of an enabled rule that catches nothing, or cannot be evaluated: so, and what was probably meant.
std::string unmatchedText(const Rule& rule, const RuleHit& hit);

} // namespace duo
