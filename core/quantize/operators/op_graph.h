// SPDX-License-Identifier: Apache-2.0
// OpGraph: the main graph as operators and edges, reduced to what computes on data that changes from sample to sample.
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
};
inline constexpr std::uint32_t kBodyPort = 1U << 30;

enum class OpKind : std::uint8_t { Input, Node, Output };

/// A node of the main graph with everything inside its bodies, or an input or output of the model.
struct Op {
    OpKind kind = OpKind::Node;
    NodeId node; // for OpKind::Node
    ValueId value; // for inputs and outputs
    OpTraits traits;
    std::vector<EdgeIndex> in; // in port order
    std::vector<EdgeIndex> out; // in the order of their readers
};

struct OpGraph {
    std::vector<Op> ops; // topological: inputs, nodes in Model::order, outputs
    std::vector<OpEdge> edges;
    std::vector<OpIndex> opOfNode; // [Model::nodes]; nodes of bodies belong to their owner in the main graph
    PortTable ports; // of Model::nodes
    std::vector<bool> isShapeOnly; // [ops] computes shapes; not part of the inference graph
    std::vector<bool> isConstantOnly; // [ops] does not depend on any input; not part of the inference graph

    [[nodiscard]] bool isInference(OpIndex op) const { return !isShapeOnly[op] && !isConstantOnly[op]; }
};

/// Operators, edges and the two filters of nncf.md 2.1 step 2. Edges of operators outside the inference graph are left
/// out of Op::in and Op::out. O(nodes + uses).
OpGraph buildOpGraph(const Model& model, const QuantizationSettings& settings);

} // namespace duo
