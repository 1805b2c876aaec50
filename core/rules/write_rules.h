// SPDX-License-Identifier: Apache-2.0
// Rules as text for other tools, and what of them such a text cannot say.
#pragma once

#include "core/model/model.h"
#include "core/rules/rule.h"
#include "core/rules/rule_form.h"
#include "core/scope/scope.h"

#include <optional>
#include <string>
#include <vector>

namespace duo {

/// Something a form cannot express, in one sentence.
struct RuleLoss {
    std::optional<std::size_t> rule; // index in RuleSet::rules; nothing: about all of them
    std::string text;
    bool operator==(const RuleLoss&) const = default;
};

struct RulesText {
    std::string text; // ends with a line break
    std::vector<RuleLoss> losses; // in the order of the rules
};

/// What rules a form has no word for are expanded with; without it they are left out.
struct RuleWriting {
    const Model* model = nullptr;
    const Scopes* scopes = nullptr; // of `model`
    std::string unknownKeys = {}; // JSON object text, written back by the JSON forms
};

/// Any form but RuleForm::Recipe, which has settings as well. Scope and class rules become the names of the nodes they
/// catch, so do target rules in forms that only ignore; a legacy pattern keeps its meaning by `\A(?:...)`.
RulesText writeRules(const RuleSet& rules, RuleForm form, const RuleWriting& writing = {});

} // namespace duo
