// SPDX-License-Identifier: Apache-2.0
// OpGraph: the main graph and the bodies whose nodes are quantized, as operators and edges, reduced to what computes on
// data that changes from sample to sample. Edges never cross the border of a body, as no fusion of a runtime does.
#pragma once

#include "core/model/model.h"
#include "core/quantize/operators/op_traits.h"

#include <span>
#include <vector>

namespace duo {

/// Numbers for all input ports and all outputs of a model's nodes, the values on them and who gives these; close
/// together in memory for what looks at all of them.
class PortTable
{
public:
    PortTable() = default;
    explicit PortTable(const Model& model); // O(nodes + inputs + outputs)

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(m_values.size()); }
    /// Number of the first input port of a node; the others follow.
    [[nodiscard]] std::uint32_t first(NodeId node) const { return m_first[node.index]; }
    [[nodiscard]] std::uint32_t count(NodeId node) const { return m_first[node.index + 1] - m_first[node.index]; }
    [[nodiscard]] ValueId value(std::uint32_t port) const { return m_values[port]; } // invalid: omitted
    [[nodiscard]] std::span<const ValueId> inputs(NodeId node) const
    {
        return std::span(m_values).subspan(first(node), count(node));
    }
    [[nodiscard]] std::span<const ValueId> outputs(NodeId node) const
    {
        return std::span(m_outputs).subspan(
            m_firstOutput[node.index], m_firstOutput[node.index + 1] - m_firstOutput[node.index]);
    }

    /// The first of them; invalid: omitted, or the node gives nothing.
    [[nodiscard]] ValueId result(NodeId node) const
    {
        const auto all = outputs(node);
        return all.empty() ? ValueId() : all.front();
    }

    [[nodiscard]] std::span<const Use> uses(ValueId value) const // as Value::uses; none of an invalid one
    {
        if (!value.valid())
            return {};
        return std::span(m_uses).subspan(
            m_firstUse[value.index], m_firstUse[value.index + 1] - m_firstUse[value.index]);
    }
    [[nodiscard]] NodeId producer(ValueId value) const { return m_producers[value.index]; } // as Value::producer

private:
    std::vector<std::uint32_t> m_first{0}, m_firstOutput{0}; // [nodes + 1]
    std::vector<ValueId> m_values; // [input ports]
    std::vector<ValueId> m_outputs;
    std::vector<NodeId> m_producers; // [values]
    std::vector<std::uint32_t> m_firstUse{0}; // [values + 1]
    std::vector<Use> m_uses;
};

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

/// The same as if the quantizers of the file, and what keeps values in float beside them, were not there: what reads
/// one reads what it reads, and nothing reads or is read by it. O(operators + edges).
OpGraph withoutFileQuantizers(OpGraph graph, const Model& model);

} // namespace duo
