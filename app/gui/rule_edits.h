// SPDX-License-Identifier: Apache-2.0
// What an intent about rules comes to: other rules, or a question what is meant.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "views/intent/rule_intent.h"
#include "views/intent/selection.h"
#include "views/rules/proposal.h"

#include <QString>

#include <optional>

namespace duo::app {

struct RuleEdit {
    std::optional<RuleSet> rules; // the rules afterwards
    QString text; // for the undo menu: "Ignore scope encoder.layer.3 (41 nodes)"
    QString calls; // that the edit means; "" for most
    std::optional<ui::Proposals> proposals; // instead: what may be meant
    QString warning; // instead: why nothing changes
};

/// @param snapshot may be of other rules than `wanted`: a placement that is on its way is not waited for
RuleEdit ruleEdit(
    const ui::RuleIntent& intent, const Snapshot& snapshot, const RuleSet& wanted, const ui::Selection& selection);

} // namespace duo::app
