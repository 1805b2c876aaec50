// SPDX-License-Identifier: Apache-2.0
// Why: what happens to nodes, the chain of reasons as links to follow, and what would make it otherwise.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/report/decisions_below.h"
#include "views/properties/page.h"

#include <span>
#include <vector>

namespace duo::ui {

/// State, reason with links to the nodes it names, the rules that catch the node, the neighbours that decide, and what
/// would make it quantized. Nothing where the model cannot be quantized. At most one placement is computed.
void addNodeWhy(Page& page, const Snapshot& snapshot, NodeId node);

/// What happens to several nodes by state and reason, and the rules that catch some of them.
/// @param groups groupDecisions() of them
void addNodesWhy(
    Page& page, const Snapshot& snapshot, const std::vector<NodeId>& nodes, std::span<const DecisionGroup> groups);

} // namespace duo::ui
