// SPDX-License-Identifier: Apache-2.0
// The context menu for a selection, the same in both trees and in the graph.
#pragma once

#include "core/model/model.h"
#include "views/intent/rule_intent.h"

#include <QMenu>

#include <functional>

namespace duo::ui {

/// Something a rule could be about, for a menu.
struct SubjectChoice {
    QString text; // "scope encoder.layer.3", "all of type Conv", shortened
    std::vector<RuleSubject> subjects;
};

/// What a selection stands for: itself, then its scopes, type or class. Behind a scope that runs several times, which
/// means all its calls: the one call alone.
std::vector<SubjectChoice> subjectChoices(const Selection& selection, const Model& model, const Scopes& scopes);

/// Property of an action of the window that is about the selection: menus offer it.
inline constexpr const char* kForSelection = "duoForSelection";

/// Fills `menu`: ignore and target this node, scope, type or class; clear; as subgraph, make pattern; what else the
/// window around it does with a selection; copy name.
/// `emitIntent` outlives the menu.
void addRuleActions(QMenu& menu, const Selection& selection, const Model& model, const Scopes& scopes,
    std::function<void(const RuleIntent&)> emitIntent);

/// The name the user would paste somewhere: scope path or node names, one per line.
QString nameOf(const Selection& selection, const Model& model, const Scopes& scopes);

} // namespace duo::ui
