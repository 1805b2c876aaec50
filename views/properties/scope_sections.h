// SPDX-License-Identifier: Apache-2.0
// The parts of a page about scopes: of one node, of a scope, and why the nodes of a selection differ.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "views/intent/selection.h"
#include "views/properties/page.h"

#include <vector>

namespace duo::ui {

/// Where a node runs, whose parameters it reads, how that is known, and each reason with its evidence.
void addNodeScopes(Page& page, const Snapshot& snapshot, NodeId node);

/// What a scope holds and what it is; nothing about its nodes.
void addScopeFacts(Page& page, const Snapshot& snapshot, const ScopeRef& scope);

/// The nodes that differ, grouped by reason: a sentence, a count and some of the nodes for each. At most some tens of
/// lines, however many nodes there are.
void addDifferences(Page& page, const Snapshot& snapshot, const std::vector<NodeId>& nodes);

/// How the scopes of nodes are known, counted. Nothing for no nodes.
void addProvenance(Page& page, const Snapshot& snapshot, const std::vector<NodeId>& nodes);

/// The checkpoint beside the model, and how many of its keys were found, by what. Nothing without one.
void addCheckpoint(Page& page, const Snapshot& snapshot);

/// Modules that hold parameters and never run.
void addNeverExecuted(Page& page, const Scopes& scopes);

} // namespace duo::ui
