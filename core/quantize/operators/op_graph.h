// SPDX-License-Identifier: Apache-2.0
// OpGraph: the main graph and the bodies whose nodes are quantized, as operators and edges, reduced to what computes on
// data that changes from sample to sample. Edges never cross the border of a body, as no fusion of a runtime does.
#pragma once

#include "core/quantize/operators/op_traits.h"
#include "core/quantize/operators/port_table.h"

#include <vector>

namespace duo {

using OpIndex = std::uint32_t;
using EdgeIndex = std::uint32_t;
inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFFU;

/// A value on its way from one operator to one input port of another.
struct OpEdge {
    OpIndex from = 0;
    OpIndex to = 0;
    std::uint32_t port = 0; // of `to`; reads by nodes of its bodies get ports from kBodyPort on
    ValueId value;
    bool isFloat = false; // float32; everything else is never quantized
    bool isBorder = false; // into a body: tells what depends on data, and is in no Op::in or Op::out
};
inline constexpr std::uint32_t kBodyPort = 1U << 30;

enum class OpKind : std::uint8_t { Input, Node, Output };

/// A node with everything inside those of its regions that hold no operators, or an input or output of the model, or
/// of a body: what it is given, what its nodes read of the graphs around it, and what it gives.
struct Op {
    OpKind kind = OpKind::Node;
    NodeId node; // for OpKind::Node
    ValueId value; // for inputs and outputs
    OpTraits traits;
    std::vector<EdgeIndex> in; // in port order
    std::vector<EdgeIndex> out; // in the order of their readers
    RegionId region = RegionId(0); // the main graph, or the body it belongs to

    /// What a body is given keeps its float: it may come from anywhere, and may be the state of a loop.
    [[nodiscard]] bool isBorder() const { return kind != OpKind::Node && region != RegionId(0); }
};

struct OpGraph {
    std::vector<Op> ops; // topological: inputs, nodes in Model::order (inputs of bodies behind their owner), outputs
    std::vector<OpEdge> edges;
    std::vector<OpIndex> opOfNode; // [Model::nodes]; other nodes belong to the operator that owns their region
    std::vector<bool> holdsOps; // [Model::regions] the main graph, and bodies whose nodes are operators
    PortTable ports; // of Model::nodes
    std::vector<bool> isShapeOnly; // [ops] computes shapes; not part of the inference graph
    std::vector<bool> isConstantOnly; // [ops] does not depend on any input; not part of the inference graph

    [[nodiscard]] bool isInference(OpIndex op) const { return !isShapeOnly[op] && !isConstantOnly[op]; }
    [[nodiscard]] bool isOperator(NodeId node) const
    {
        return ops[opOfNode[node.index]].kind == OpKind::Node && ops[opOfNode[node.index]].node == node;
    }
};

/// Operators and edges, filtered (resources/docs/quantization.md, "The graph that is quantized"). Edges of
/// operators outside the inference graph are left out of Op::in and Op::out. O(nodes + uses).
OpGraph buildOpGraph(const Model& model, const Target& target);

} // namespace duo
