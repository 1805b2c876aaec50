// SPDX-License-Identifier: Apache-2.0
#include "core/rules/rule.h"

#include "core/support/enum_text.h"
#include "core/support/phrases.h"

#include <array>

namespace duo {
namespace {

constexpr auto kActions = enumTexts<RuleAction::Precision>({"ignore", "target", "precision"});
constexpr auto kKinds
    = enumTexts<RuleKind::Class>({"name", "pattern", "type", "subgraph", "execution-scope", "storage-scope", "class"});

/// The scope that all others are in has no path.
std::string patternText(const Rule& rule)
{
    if (rule.kind == RuleKind::Subgraph)
        return inBrackets(rule.inputs) + " to " + inBrackets(rule.outputs);
    const bool isScope = rule.kind == RuleKind::ExecutionScope || rule.kind == RuleKind::StorageScope;
    return isScope && rule.value.empty() ? "(the whole model)" : rule.value;
}

} // namespace

std::string_view ruleActionText(RuleAction action)
{
    return enumText(kActions, action);
}

std::string_view ruleKindText(RuleKind kind)
{
    return enumText(kKinds, kind);
}

std::optional<RuleAction> ruleActionFromText(std::string_view text)
{
    return enumFromText<RuleAction>(kActions, text);
}

std::optional<RuleKind> ruleKindFromText(std::string_view text)
{
    return enumFromText<RuleKind>(kKinds, text);
}

std::string ruleText(const Rule& rule)
{
    std::string text(ruleActionText(rule.action));
    text += " ";
    text += ruleKindText(rule.kind);
    text += " " + patternText(rule);
    return rule.action == RuleAction::Precision ? text + ": " + precisionText(rule.precision) : text;
}

} // namespace duo
