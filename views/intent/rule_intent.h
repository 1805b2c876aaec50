// SPDX-License-Identifier: Apache-2.0
// RuleIntent: what the user wants done to the rules, as views say it; applied by the session.
#pragma once

#include "core/model/model.h"
#include "core/rules/rule.h"
#include "views/intent/selection.h"

#include <QMetaType>
#include <QString>

#include <string>
#include <vector>

namespace duo::ui {

/// What a rule is about.
struct RuleSubject {
    RuleKind kind = RuleKind::Name;
    std::string value;
    bool operator==(const RuleSubject&) const = default;
};

struct RuleIntent {
    enum class Verb { Ignore, Target, Clear };
    Verb verb = Verb::Ignore;
    std::vector<RuleSubject> subjects;
    bool operator==(const RuleIntent&) const = default;
};

/// An execution scope as a rule that means this call alone: "blk#0" where blk is called again beside it.
std::string callText(const ScopeTree& execution, ScopeId scope);

/// The subjects a selection stands for: its scope as a scope rule, else each node by name.
std::vector<RuleSubject> subjectsOf(const Selection& selection, const Model& model, const Scopes& scopes);

/// "scope encoder.layer.3", "node /conv1/Conv", "all Softmax"; the whole model for the root scope.
QString subjectText(const RuleSubject& subject);

/// Rules after an intent. Ignore and Target toggle: if every subject already has that enabled rule, they are taken
/// away, else they are added (a rule of the other action about the same subject is replaced). Clear takes away every
/// rule about a subject. O(rules + subjects).
RuleSet applyIntent(const RuleSet& rules, const RuleIntent& intent);

} // namespace duo::ui

Q_DECLARE_METATYPE(duo::ui::RuleIntent)
