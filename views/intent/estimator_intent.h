// SPDX-License-Identifier: Apache-2.0
// EstimatorIntent: another range estimator wanted, for some nodes or for all, as a view says it; applied by the
// session.
#pragma once

#include "core/quantize/points/settings.h"
#include "views/intent/rule_intent.h"

#include <QMetaType>
#include <QString>

#include <optional>
#include <string>

namespace duo::ui {

struct EstimatorIntent {
    enum class Verb { UseHere, UseForAll, TakeRuleAway };
    Verb verb = Verb::UseHere;
    std::string estimator = {}; // name of a set (range_estimator.h); not of TakeRuleAway
    RuleSubject subject = {}; // UseHere: what the rule is about
    std::size_t rule = 0; // TakeRuleAway: of rangeEstimatorRules
    bool operator==(const EstimatorIntent&) const = default;
};

/// Settings after an intent. UseHere puts a rule behind all others, in place of one about the same subject; UseForAll
/// makes the estimator the general one and takes all rules of estimators away. Nothing changes for an estimator that is
/// no set, or a rule there is not.
QuantizationSettings applyIntent(const QuantizationSettings& settings, const EstimatorIntent& intent);

/// For the undo menu: "Use MSE for node /conv1/Conv".
QString estimatorEditText(const EstimatorIntent& intent, const QuantizationSettings& before);

} // namespace duo::ui

Q_DECLARE_METATYPE(duo::ui::EstimatorIntent)
