// SPDX-License-Identifier: Apache-2.0
#include "core/rules/check_rules.h"

#include "core/rules/pattern/pattern.h"

namespace duo {

Status checkRules(const RuleSet& rules, const std::string& name)
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

} // namespace duo
