// SPDX-License-Identifier: Apache-2.0
// ViewGraph: the compressed graph as it is shown, with scopes collapsed into boxes and quantizers as edge badges.
#pragma once

#include "core/model/model.h"
#include "core/quantize/placement.h"
#include "core/scope/scope.h"

#include <set>
#include <string>
#include <vector>

namespace duo {

struct Containment;

/// One box: a node, a scope (collapsed, or open with boxes inside), a group (a run of boxes of a scope that has too
/// many, opened and closed like a scope), a model input/output, a stub for values that many boxes read, or a quantizer
/// (quantizer_boxes.h). A scope that holds a single node is shown as that node. Constants and initializers have no
/// boxes.
struct ViewBox {
    enum class Kind { Node, Scope, Group, Input, Output, Stub, Quantizer };
    Kind kind = Kind::Node;
    NodeId node; // Node; Quantizer of a weight: the node that reads it
    ScopeId scope; // execution tree: of a Scope itself; of a Node or Group the one it stands in
    ValueId value; // Input, Output, Stub (the first of them), Quantizer (but for weights)
    std::vector<ValueId> moreValues; // Stub: further values that the same box reads
    std::string key; // Scope: its path; Group: its id; what the set of open scopes holds
    std::string title; // op type, scope name, value name
    std::string subtitle; // node name, class and counts, type and shape
    std::string around; // Node: name of the scope that holds it; what stands around it says so already
    std::string badge; // Node: quantizer of its weight: "s8 per channel"; "" if none
    std::string kernel; // Node of a graph as it is run: how it computes, "int8, 4 nodes"; "" for others
    std::int32_t parent = -1; // index of the open box that holds it; -1: top
    bool open = false; // Scope, Group
    NodeState state = NodeState::Unsupported; // Node
    std::int64_t quantized = 0; // Scope, Group: how many of `total` nodes are quantized
    std::int64_t ignored = 0;
    std::int64_t total = 1;
    double parameters = 0; // Node, Scope, Group: elements of those that its nodes read, once for each node
};

struct ViewEdge {
    std::uint32_t from = 0; // boxes; of open ones bundles only, whose branches all read and are read by the same
    std::uint32_t to = 0;
    std::string badge; // "u8", "s8 per channel", "u8 2/5", "mixed 3/5", ""; of the quantizers on its values
    std::int64_t values = 1; // how many values it stands for
    ValueId value; // the first of them
};

struct ViewGraph {
    std::vector<ViewBox> boxes; // parents before children
    std::vector<ViewEdge> edges;
};

/// Keys (execution scopes and groups) to open for a first picture: breadth first, biggest first, equal siblings
/// together, while at most `budget` boxes are shown; stubs, of which a box has at most one, do not count. A budget of
/// 80 always holds; under a smaller one the top level alone may exceed it. O(nodes + scopes).
std::set<std::string> openWithin(const Containment& containment, std::size_t budget);

/// `open` with `key` opened too, and with it what would otherwise show a single closed box inside.
std::set<std::string> withOpened(
    const Containment& containment, const std::set<std::string>& open, const std::string& key);

} // namespace duo
