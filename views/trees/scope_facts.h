// SPDX-License-Identifier: Apache-2.0
// ScopeFacts: what the rows of a scope tree say beyond the tree itself, counted once per snapshot.
#pragma once

#include "core/quantize/placement.h"
#include "core/scope/scope.h"
#include "views/intent/selection.h"
#include "views/style/state_style.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo::ui {

struct ScopeFacts {
    std::vector<std::int64_t> differing; // [scopes] differing nodes listed at and below
    std::vector<bool> neverExecuted; // [scopes] storage tree only
    std::vector<std::int64_t> neverBelow; // [scopes] modules named in Scopes::neverExecuted at and below
    std::vector<std::int64_t> withParameters; // [scopes] nodes listed at and below that read parameters
    std::vector<bool> onlyGuessed; // [scopes] nodes are listed at or below, and each is placed there by a guess
    std::unordered_map<std::string_view, std::vector<NodeId>> readers; // of each key of the scopes; storage tree only
};

/// How it is known that a node stands where a tree shows it.
Provenance provenanceIn(const NodeScope& node, TreeKind kind);

/// O(nodes + scopes + keys).
ScopeFacts findScopeFacts(const Scopes& scopes, TreeKind kind);

/// [scopes] decisions of the nodes listed at and below; zeros without a placement. O(nodes + scopes).
std::vector<StateCounts> countStates(const ScopeTree& tree, const Placement* placement);

} // namespace duo::ui
