// SPDX-License-Identifier: Apache-2.0
// What it means that an enabled rule of a recipe catches nothing: for window and command line alike.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/report/match_report.h"

#include <string>
#include <vector>

namespace duo {

/// Whether enabled rules can be evaluated, whatever the model.
/// @param name of the recipe, for the message. @return InvalidRule for the first pattern that cannot be read
Status checkPatterns(const RuleSet& rules, const std::string& name);

/// Enabled rules that catch no node, or cannot be evaluated; indices of the recipe's rules.
std::vector<std::size_t> rulesWithoutNodes(const Snapshot& snapshot);

/// Of each rule of `transforms.keep` that catches no node a sentence; nothing where no transforms ran.
std::vector<std::string> keepsWithoutNodes(const Snapshot& snapshot);

/// Nothing is measured or written under rules without nodes, those of what is to be kept among them, unless the recipe
/// says `"validate": false`, and nothing at all under patterns that cannot be read. Before rules are evaluated only
/// patterns are looked at.
bool mayWorkUnderRules(const Snapshot& snapshot);

/// The same as an error about the first of them. @param nothing "nothing was written" @return InvalidRule
Status checkRulesMatch(const Snapshot& snapshot, const std::string& nothing, const std::string& whatToDo);

/// What the rules of a snapshot with hits come to, for reports; it must outlive this.
MatchedRules matchedRules(const Snapshot& snapshot);

/// Rules that catch nothing, as those of a recipe made for another export of the model, and what they mean here.
struct UnmatchedRules {
    std::vector<std::size_t> rules; // none: all rules match
    Recipe here; // the recipe with what the scopes tell of them
    std::size_t known = 0; // of `rules`, told by a scope
};
UnmatchedRules unmatchedRules(const Snapshot& snapshot);

} // namespace duo
