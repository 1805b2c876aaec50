// SPDX-License-Identifier: Apache-2.0
#include "views/intent/estimator_intent.h"

#include "views/style/format.h"
#include "views/style/tr.h"

namespace duo::ui {

QuantizationSettings applyIntent(const QuantizationSettings& settings, const EstimatorIntent& intent)
{
    using Verb = EstimatorIntent::Verb;
    QuantizationSettings result = settings;
    auto& rules = result.rangeEstimatorRules;
    if (intent.verb == Verb::TakeRuleAway) {
        if (intent.rule < rules.size())
            rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(intent.rule));
        return result;
    }
    const auto parameters = rangeEstimatorSet(intent.estimator);
    if (!parameters)
        return result;
    if (intent.verb == Verb::UseForAll) {
        result.activationsRangeEstimator = parameters;
        rules.clear();
        return result;
    }
    std::erase_if(rules, [&](const EstimatorRule& rule) {
        return rule.rule.kind == intent.subject.kind && rule.rule.value == intent.subject.value;
    });
    Rule about;
    about.action = RuleAction::Target;
    about.kind = intent.subject.kind;
    about.value = intent.subject.value;
    rules.push_back({std::move(about), *parameters});
    return result;
}

QString estimatorEditText(const EstimatorIntent& intent, const QuantizationSettings& before)
{
    switch (intent.verb) {
    case EstimatorIntent::Verb::UseHere:
        return tr("Use %1 for %2").arg(toQt(intent.estimator), subjectText(intent.subject));
    case EstimatorIntent::Verb::UseForAll:
        return tr("Use %1 everywhere").arg(toQt(intent.estimator));
    case EstimatorIntent::Verb::TakeRuleAway:
        if (intent.rule < before.rangeEstimatorRules.size()) {
            const Rule& rule = before.rangeEstimatorRules[intent.rule].rule;
            return tr("Take away the estimator for %1").arg(subjectText({rule.kind, rule.value}));
        }
        break;
    }
    return tr("Take away an estimator");
}

} // namespace duo::ui
