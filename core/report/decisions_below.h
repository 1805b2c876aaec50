// SPDX-License-Identifier: Apache-2.0
// What a scope holds below itself, and what is decided about it.
#pragma once

#include "core/quantize/placement.h"
#include "core/scope/scope.h"

#include <string>
#include <vector>

namespace duo {

/// Nodes of a scope and of all scopes below it, in node order, each once.
std::vector<NodeId> nodesBelow(const ScopeTree& tree, ScopeId top);

/// Nodes of one state for one reason: whyText() says it of each of them in the same words.
struct DecisionGroup {
    NodeState state = NodeState::Unsupported;
    ReasonKind kind = ReasonKind::Operator;
    std::vector<NodeId> nodes;
};
/// The decisions about `nodes`, by state, the reason with most nodes first.
std::vector<DecisionGroup> groupDecisions(
    const Model& model, const Placement& placement, const std::vector<NodeId>& nodes);

/// Paths of modules at or below a storage scope that never run, topmost only, in definition order.
std::vector<std::string> neverExecutedBelow(const Scopes& scopes, ScopeId storage);

/// Storage scopes of the same module as `storage`, besides itself; its first path first.
std::vector<ScopeId> otherPaths(const Scopes& scopes, ScopeId storage);

} // namespace duo
