// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/rule_findings.h"

#include "core/rules/pattern.h"
#include "core/rules/suggestions.h"

namespace duo {

Status checkPatterns(const RuleSet& rules, const std::string& name)
{
    for (std::size_t i = 0; i < rules.rules.size(); ++i) {
        const Rule& rule = rules.rules[i];
        if (!rule.enabled || rule.kind != RuleKind::Pattern)
            continue;
        const auto compiled = Pattern::compile(rule.value);
        if (const auto* problem = std::get_if<PatternProblem>(&compiled))
            return Error{ErrorCode::InvalidRule,
                "pattern is not valid at " + std::to_string(problem->position) + ", " + problem->text,
                name + " rules[" + std::to_string(i) + "].value '" + rule.value + "'",
                "correct it as Python's re has it, or disable the rule"};
    }
    return success();
}

std::vector<std::size_t> rulesWithoutNodes(const Snapshot& snapshot)
{
    std::vector<std::size_t> found;
    const auto& rules = snapshot.recipe.rules.rules;
    for (std::size_t i = 0; snapshot.hits && i < rules.size() && i < snapshot.hits->hits.size(); ++i) {
        if (rules[i].enabled && snapshot.hits->hits[i].nodes.empty() && snapshot.hits->hits[i].gone == 0)
            found.push_back(i);
    }
    return found;
}

std::vector<std::string> keepsWithoutNodes(const Snapshot& snapshot)
{
    std::vector<std::string> found;
    if (snapshot.transforms) {
        for (const std::string& sentence : snapshot.transforms->keptNothing)
            found.push_back("transforms.keep: " + sentence);
    }
    return found;
}

bool mayWorkUnderRules(const Snapshot& snapshot)
{
    const RuleSet& rules = snapshot.recipe.rules;
    const bool doAllMatch = rulesWithoutNodes(snapshot).empty() && keepsWithoutNodes(snapshot).empty();
    return checkPatterns(rules, {}) && (!rules.validate || doAllMatch);
}

Status checkRulesMatch(const Snapshot& snapshot, const std::string& nothing, const std::string& whatToDo)
{
    const RuleSet& rules = snapshot.recipe.rules;
    DUO_CHECK(checkPatterns(rules, "recipe"));
    if (mayWorkUnderRules(snapshot))
        return success();
    const auto unmatched = rulesWithoutNodes(snapshot);
    if (unmatched.empty())
        return Error{ErrorCode::InvalidRule, "a rule of what is to be kept matches no node, so " + nothing,
            keepsWithoutNodes(snapshot).front(), "correct or remove it where the transforms are"};
    const Rule& rule = rules.rules[unmatched.front()];
    return Error{ErrorCode::InvalidRule, "a rule matches no node, so " + nothing, ruleText(rule), whatToDo};
}

MatchedRules matchedRules(const Snapshot& snapshot)
{
    return {*snapshot.model, snapshot.recipe.rules, *snapshot.hits, *snapshot.effects, snapshot.placement.get(),
        snapshot.unruled.get()};
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
