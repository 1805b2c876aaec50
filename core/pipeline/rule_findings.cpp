// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/rule_findings.h"

#include "core/rules/suggestions.h"

namespace duo {

std::vector<std::size_t> rulesWithoutNodes(const Snapshot& snapshot)
{
    std::vector<std::size_t> found;
    const auto& rules = snapshot.recipe.rules.rules;
    for (std::size_t i = 0; snapshot.hits && i < rules.size() && i < snapshot.hits->hits.size(); ++i) {
        if (rules[i].enabled && snapshot.hits->hits[i].nodes.empty())
            found.push_back(i);
    }
    return found;
}

bool mayWorkUnderRules(const Snapshot& snapshot)
{
    return !snapshot.recipe.rules.validate || rulesWithoutNodes(snapshot).empty();
}

Status checkRulesMatch(const Snapshot& snapshot, const std::string& whatToDo)
{
    if (mayWorkUnderRules(snapshot))
        return success();
    const Rule& rule = snapshot.recipe.rules.rules[rulesWithoutNodes(snapshot).front()];
    return Error{ErrorCode::InvalidRule, "a rule matches no node, so nothing was written", ruleText(rule), whatToDo};
}

UnmatchedRules unmatchedRules(const Snapshot& snapshot)
{
    UnmatchedRules found{rulesWithoutNodes(snapshot), snapshot.recipe, 0};
    for (const std::size_t rule : found.rules) {
        Rule& changed = found.here.rules.rules[rule];
        if (const auto meaning = meaningByScope(*snapshot.model, *snapshot.scopes, changed)) {
            changed = withSuggestion(changed, *meaning);
            ++found.known;
        }
    }
    return found;
}

} // namespace duo
