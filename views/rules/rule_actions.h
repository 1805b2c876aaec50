// SPDX-License-Identifier: Apache-2.0
// RuleActionChoice: what the user can let a rule do: ignore, target, or give nodes another precision.
#pragma once

#include "core/rules/rule.h"

#include <QString>

#include <vector>

namespace duo::ui {

struct RuleActionChoice {
    RuleAction action = RuleAction::Ignore;
    RulePrecision precision{}; // of RuleAction::Precision
    bool operator==(const RuleActionChoice&) const = default;
};

/// Ignore, target, the common precisions, and the rule's own where it is none of these.
std::vector<RuleActionChoice> ruleActionChoices(const Rule& rule);
/// The choice a rule has made, as an index of ruleActionChoices.
int chosenAction(const Rule& rule);

QString ruleActionLabel(const RuleActionChoice& choice); // "ignore", "activations 16 bits"

/// The rule with another action; what only the former one had is left out.
Rule withAction(Rule rule, const RuleActionChoice& choice);

} // namespace duo::ui
