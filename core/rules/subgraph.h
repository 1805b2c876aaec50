// SPDX-License-Identifier: Apache-2.0
// The subgraph rule: every node on a path from one of the inputs to one of the outputs, both ends included.
#pragma once

#include "core/model/model.h"

#include <span>
#include <vector>

namespace duo {

/// Forward reach of `inputs` intersected with backward reach of `outputs`, which in an acyclic graph is the union of
/// all paths (NNCF enumerates them). A control-flow node on a path takes its bodies along, unless an end of the rule
/// lies in them; a call stands for the nodes of its body. In node order. O(nodes + uses).
std::vector<NodeId> nodesBetween(const Model& model, std::span<const NodeId> inputs, std::span<const NodeId> outputs);

} // namespace duo
