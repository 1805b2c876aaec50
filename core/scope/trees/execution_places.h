// SPDX-License-Identifier: Apache-2.0
// ExecutionPlaces: the rows of the execution tree: calls of modules, and between them the bodies of control-flow nodes.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/call_tree.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duo {

/// A call, or the part of a body that a call holds.
struct ExecutionPlace {
    std::uint32_t parent = 0; // an earlier place; the root's is itself
    CallId call; // the call; of a body: the call that holds it
    RegionId body; // invalid: a call
    std::string element; // "layer1", "If_0 [then]"
};

struct ExecutionPlaces {
    std::vector<ExecutionPlace> places; // [0] is the root; parents before children
    std::vector<std::uint32_t> ofCall; // [CallTree::calls] the first place of each; of a call without nodes: around it
    std::vector<std::uint32_t> ofNode; // [Model::nodes]
};

/// Where each node runs. A node in a body of an If, Loop or Scan runs in that body, which lies in the innermost call
/// that holds both the node and the owner of the body; calls between them lie in the body. A call that goes on outside
/// of the body has a place in either. Without bodies the places are the calls. O(nodes * depth).
/// @param order every node once, along the dataflow: numbers owners without a name, and sorts bodies without calls
ExecutionPlaces executionPlaces(const Model& model, const CallTree& tree, std::span<const NodeId> order);

} // namespace duo
