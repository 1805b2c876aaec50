// SPDX-License-Identifier: Apache-2.0
// Links in the text about a selection: each leads to another selection.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/report/decisions_below.h"
#include "views/intent/selection.h"

#include <QString>
#include <QUrl>

#include <optional>
#include <vector>

namespace duo::ui {

QString nodeLink(NodeId node); // "node:12"
QString scopeLink(TreeKind tree, ScopeId scope); // "execution:3", "storage:3"
QString ruleLink(std::size_t rule); // "rule:1", counted from 0: leads to the rules table
QString kernelLink(NodeId kernel); // "kernel:4": the nodes that a kernel of the graph as run came from
QString decisionLink(std::size_t group); // "decision:0": the nodes of a group of the present page's decisions
QString reasonLink(Reason reason); // "reason:6": the nodes of the present selection that differ for it

/// What a link leads to from `from`; nothing if it names what the model does not have. O(nodes of the result + from).
std::optional<Selection> followLink(const QUrl& link, const Scopes& scopes, const Selection& from);
/// @param groups of the page's decisions
std::optional<Selection> followDecision(const QUrl& link, const std::vector<DecisionGroup>& groups);
/// The number after "rule:" and the like.
std::optional<std::size_t> numberOf(const QUrl& link, const char* scheme);

/// The nodes a page is about: those selected, all of the model where none are.
std::vector<NodeId> nodesOfPage(const Scopes& scopes, const Selection& selection);

} // namespace duo::ui
