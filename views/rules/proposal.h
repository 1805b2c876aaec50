// SPDX-License-Identifier: Apache-2.0
// Proposal: one way to do what the user asked for, with its effect, before it is done.
#pragma once

#include "core/model/model.h"
#include "core/rules/rule.h"

#include <QString>

#include <optional>
#include <vector>

namespace duo::ui {

struct Proposal {
    QString title;
    QString effect; // "14 nodes: 12 selected and 2 more"
    std::vector<NodeId> nodes; // shown in trees and graph while it is chosen
    RuleSet after;
    QString undoText;
    std::optional<RuleSet> afterAsTarget; // the same as a target rule, where that makes sense
    QString undoTextAsTarget;
};

/// What to choose from, best or most exact first. Nothing to choose from: `question` says why.
struct Proposals {
    QString question;
    std::vector<Proposal> choices;
};

} // namespace duo::ui
