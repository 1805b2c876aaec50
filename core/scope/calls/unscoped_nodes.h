// SPDX-License-Identifier: Apache-2.0
// Calls of nodes the file says nothing about.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/call_tree.h"

#include <vector>

namespace duo {

/// Gives every node without a call the innermost call that all nodes reading it run in, else all that it reads from;
/// a branch or a loop that of both together, and a node in a body that of its owner. Nodes that touch no scoped node go
/// to the root.
/// @return per node, how its call is known now: as framed, by dataflow, or a guess: dataflow only for
/// work on shapes, layouts and types all of whose neighbours run in that call
std::vector<Provenance> placeUnscopedNodes(const Model& model, const std::vector<FramedNode>& nodes, CallTree& tree);

} // namespace duo
