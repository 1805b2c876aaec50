// SPDX-License-Identifier: Apache-2.0
// What an intent about rules comes to: other rules, or a question what is meant.
#pragma once

#include "app/gui/proposal_maker.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "views/intent/rule_intent.h"
#include "views/intent/selection.h"

#include <QString>

#include <memory>
#include <optional>

namespace duo::app {

struct RuleEdit {
    std::optional<RuleSet> rules; // the rules afterwards
    QString text; // for the undo menu: "Ignore scope encoder.layer.3 (41 nodes)"
    QString calls; // that the edit means; "" for most
    ProposalMaker::Question question; // instead: finds what may be meant, which takes a while; empty: nothing to ask
    QString warning; // instead: why nothing changes
};

/// @param shown may be of other rules than `wanted`: a placement that is on its way is not waited for
RuleEdit ruleEdit(const ui::RuleIntent& intent, const std::shared_ptr<const Snapshot>& shown, const RuleSet& wanted,
    const ui::Selection& selection);

} // namespace duo::app
