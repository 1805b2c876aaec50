// SPDX-License-Identifier: Apache-2.0
#include "views/rules/rule_actions.h"

#include "views/style/format.h"

#include <algorithm>

namespace duo::ui {
namespace {

RuleActionChoice precisionChoice(const PrecisionOverride& activations, const PrecisionOverride& weights)
{
    return {RuleAction::Precision, {activations, weights}};
}

} // namespace

std::vector<RuleActionChoice> ruleActionChoices(const Rule& rule)
{
    PrecisionOverride sixteen;
    sixteen.numBits = 16;
    PrecisionOverride symmetric;
    symmetric.mode = QuantizationMode::Symmetric;
    PrecisionOverride perTensor;
    perTensor.perChannel = false;
    std::vector<RuleActionChoice> choices{{RuleAction::Ignore}, {RuleAction::Target}, precisionChoice(sixteen, {}),
        precisionChoice(sixteen, sixteen), precisionChoice(symmetric, {}), precisionChoice({}, perTensor),
        {RuleAction::Precision, {{}, {}, 32}}, {RuleAction::Precision, {{}, {}, 16}}};
    const RuleActionChoice own{rule.action, rule.precision};
    if (std::find(choices.begin(), choices.end(), own) == choices.end())
        choices.push_back(own);
    return choices;
}

int chosenAction(const Rule& rule)
{
    const auto choices = ruleActionChoices(rule);
    const auto own = std::find(choices.begin(), choices.end(), RuleActionChoice{rule.action, rule.precision});
    return static_cast<int>(own - choices.begin());
}

QString ruleActionLabel(const RuleActionChoice& choice)
{
    return choice.action == RuleAction::Precision ? toQt(precisionText(choice.precision))
                                                  : toQt(ruleActionText(choice.action));
}

Rule withAction(Rule rule, const RuleActionChoice& choice)
{
    rule.action = choice.action;
    rule.precision = choice.precision;
    return rule;
}

} // namespace duo::ui
