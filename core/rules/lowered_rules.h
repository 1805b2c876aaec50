// SPDX-License-Identifier: Apache-2.0
// Rules in the few words another tool has: names, patterns, types, subgraphs, modules.
#pragma once

#include "core/rules/write_rules.h"

#include <string>
#include <vector>

namespace duo {

/// One entry of a list in the text to be written.
struct LoweredEntry {
    std::string value;
    std::string comment;
};

struct LoweredRules {
    std::vector<LoweredEntry> names;
    std::vector<LoweredEntry> patterns;
    std::vector<LoweredEntry> types;
    std::vector<const Rule*> subgraphs;
    std::vector<LoweredEntry> targets; // LegacyJson: its texts, "{re}" included
    std::vector<LoweredEntry> modules; // Fsdp: storage paths
    std::vector<RuleLoss> losses;
};

/// Names come once each, in the order of the rules. @param form any but RuleForm::Recipe
LoweredRules lowerRules(const RuleSet& rules, RuleForm form, const RuleWriting& writing);

/// A pattern as a legacy text: what was imported from one as it was, else "{re}\A(?:pattern)", global flags before it.
std::string legacyText(const std::string& pattern);

} // namespace duo
