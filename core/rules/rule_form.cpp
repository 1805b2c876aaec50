// SPDX-License-Identifier: Apache-2.0
#include "core/rules/rule_form.h"

#include "core/rules/imported_rules.h"
#include "core/support/enum_text.h"

#include <array>

namespace duo {
namespace {

constexpr auto kForms
    = enumTexts<RuleForm::List>({"recipe", "nncf-python", "nncf-json", "legacy-json", "ort", "fsdp", "list"});

} // namespace

std::string_view ruleFormText(RuleForm form)
{
    return enumText(kForms, form);
}

std::optional<RuleForm> ruleFormFromText(std::string_view text)
{
    return enumFromText<RuleForm>(kForms, text);
}

Rule legacyRule(std::string text, RuleAction action)
{
    Rule rule;
    rule.action = action;
    std::string kept;
    bool isPattern = false;
    std::size_t start = 0;
    for (std::size_t at = text.find("{re}"); at != std::string::npos; at = text.find("{re}", start)) {
        kept.append(text, start, at - start);
        start = at + 4;
        isPattern = true;
    }
    kept.append(text, start);
    rule.kind = isPattern ? RuleKind::Pattern : RuleKind::Name;
    rule.value = isPattern ? "(?s:.*?)(?:" + kept + ")" : std::move(text);
    return rule;
}

} // namespace duo
