// SPDX-License-Identifier: Apache-2.0
// Kernels: what the engine makes of nodes, and with which others they are fused, as links to follow.
#pragma once

#include "core/graph/run_graph.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "views/properties/page.h"

#include <vector>

namespace duo::ui {

/// The kernels that came from the nodes, at most a few, and which nodes are in none.
void addKernels(Page& page, const Snapshot& snapshot, const RunGraph& run, const std::vector<NodeId>& nodes);

} // namespace duo::ui
