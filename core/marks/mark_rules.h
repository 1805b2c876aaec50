// SPDX-License-Identifier: Apache-2.0
// Marks as a selection for rules, and rules as one for marks.
#pragma once

#include "core/marks/annotate.h"
#include "core/rules/rule.h"

#include <optional>
#include <vector>

namespace duo {

/// Rules that together catch these nodes and no other one that computes: execution scopes (all calls of a module), then
/// storage scopes, then names, each only where it is right. O((nodes + scopes) * scope rules), at most 64 of these.
/// @param nodes ascending, each once
std::vector<Rule> rulesCatching(
    const Model& model, const Scopes& scopes, const std::vector<NodeId>& nodes, RuleAction action);

/// The mark of all modules whose nodes are among these: of one without nodes of its own, if all nodes below are. The
/// root is the module deepest in the tree that all of them lie in. O(modules + nodes).
/// @param nodes ascending, each once; nothing where no module has all of its nodes there
std::optional<Mark> markCatching(const ModuleTree& tree, const std::vector<NodeId>& nodes);

} // namespace duo
