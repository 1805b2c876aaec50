// SPDX-License-Identifier: Apache-2.0
// An order of a model's nodes that follows from what they compute, not from where they stand in the file.
#pragma once

#include "core/model/held_tensors.h"

#include <vector>

namespace duo {

struct NodeOrder {
    std::vector<NodeId> sequence; // every node once
    std::vector<std::uint32_t> position; // [nodes] index into sequence

    [[nodiscard]] bool isBefore(NodeId a, NodeId b) const { return position[a.index] < position[b.index]; }
};

/// Depth first from the outputs: what a node reads comes before it, of several inputs the one with the longest way
/// behind it first, else in port order; outputs with the shortest way first. So a chain of calls comes call by call,
/// and calls side by side one after the other, much as a program runs them. A node that holds a constant stands before
/// its first reader, and an owner directly before the nodes of its regions. The same for every topological order of the
/// nodes in the file, whatever values are called, and wherever constants are kept; only nodes that nothing reads, of
/// one type and equally far from the inputs and without names, are told apart by where they stand. O(nodes + uses *
/// nesting).
NodeOrder canonicalOrder(const Model& model);

} // namespace duo
