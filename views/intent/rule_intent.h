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
    std::string scope = {}; // Name: the execution scope it stands in, for exports that name nodes otherwise
    std::string call = {}; // ExecutionScope: the one call pointed at, where `value` means several; "" where it is all
    bool operator==(const RuleSubject&) const = default;
};

struct RuleIntent {
    /// The last two ask what is meant by the present selection and leave `subjects` empty.
    enum class Verb { Ignore, Target, Clear, AsSubgraph, MakePattern };
    Verb verb = Verb::Ignore;
    std::vector<RuleSubject> subjects;
    bool isToggle = true; // Ignore and Target: what is there already is taken away; else it stays
    bool operator==(const RuleIntent&) const = default;
};

/// An execution scope as what a rule is about: every call of what runs there; `call` is the narrower choice.
RuleSubject callsSubject(const ScopeTree& execution, ScopeId scope);

/// The subjects a selection stands for: its scope as a scope rule (every call of the module), else each node by name.
std::vector<RuleSubject> subjectsOf(const Selection& selection, const Model& model, const Scopes& scopes);

/// A rule about a subject.
Rule ruleAbout(const RuleSubject& subject, RuleAction action);

/// "2 calls; only this one: blk#1": beside a subject that means more calls than the one pointed at; "" for others.
QString callsText(const RuleSubject& subject, const ScopeTree& execution);

/// "scope encoder.layer.3", "node /conv1/Conv", "all Softmax"; the whole model for the root scope.
QString subjectText(const RuleSubject& subject);

/// Rules after an intent. Ignore and Target toggle, if they do: where every subject already has that enabled rule, they
/// are taken away, else they are added (a rule of the other action about the same subject is replaced; precision rules
/// stay). A rule about the one call pointed at counts as one about the subject. Clear takes away every rule about a
/// subject. The other verbs change nothing by themselves. O(rules +
/// subjects).
RuleSet applyIntent(const RuleSet& rules, const RuleIntent& intent);

} // namespace duo::ui

Q_DECLARE_METATYPE(duo::ui::RuleIntent)
