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

/// One box: a node, a scope (collapsed, or open with boxes inside), a model input/output, or a stub for a value that
/// many nodes read.
struct ViewBox {
    enum class Kind { Node, Scope, Input, Output, Stub };
    Kind kind = Kind::Node;
    NodeId node; // Node
    ScopeId scope; // Scope (execution tree)
    ValueId value; // Input, Output, Stub
    std::string title; // op type, scope name, value name
    std::string subtitle; // node name, class and counts
    std::int32_t parent = -1; // index of the open scope box that holds it; -1: top
    bool open = false; // Scope only
    NodeState state = NodeState::Unsupported; // Node
    std::int64_t quantized = 0; // Scope: how many of `total` nodes are quantized
    std::int64_t ignored = 0;
    std::int64_t total = 1;
};

struct ViewEdge {
    std::uint32_t from = 0; // boxes, never an open scope
    std::uint32_t to = 0;
    std::string badge; // "u8", "s8 per channel", ""; of the quantizer on it
    std::int64_t values = 1; // how many values it stands for
};

struct ViewGraph {
    std::vector<ViewBox> boxes; // parents before children
    std::vector<ViewEdge> edges;
};

/// Execution scopes to open for a first picture: breadth first while at most `budget` boxes are shown.
std::set<std::string> openScopesWithin(const Model& model, const Scopes& scopes, std::size_t budget);

/// The picture for a set of open execution scopes (paths; "" is always open). `placement` may be null (no states, no
/// badges). O(nodes + uses).
ViewGraph buildViewGraph(
    const Model& model, const Scopes& scopes, const Placement* placement, const std::set<std::string>& open);

} // namespace duo
