// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/profiles/profile_points.h"

#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/quantize/profiles/reader_points.h"

#include <algorithm>

namespace duo {
namespace {

/// Operators on the longest path from an input [ops].
std::vector<std::uint32_t> depths(const OpGraph& graph)
{
    std::vector<std::uint32_t> depth(graph.ops.size(), 0);
    for (OpIndex op = 0; op < graph.ops.size(); ++op) {
        for (const EdgeIndex edge : graph.ops[op].in)
            depth[op] = std::max(depth[op], depth[graph.edges[edge].from] + 1);
    }
    return depth;
}

/// The convolution that alone gives a value to its only reader, a batch norm between them or not; invalid if none does.
NodeId convolutionBehind(const Model& model, ValueId id)
{
    for (;;) {
        const NodeId from = model.value(id).producer;
        if (!from.valid() || !onlyUse(model, id))
            return {};
        const Node& producer = model.node(from);
        if (isConvolution(producer))
            return from;
        if (producer.opType != "BatchNormalization")
            return {};
        id = producer.inputs.front();
    }
}

void decideAddition(DraftSetup& draft, const Model& model, const OpGraph& graph,
    const std::vector<std::uint32_t>& depth, NodeId add, DecisionReason& floatReason)
{
    const auto& inputs = model.node(add).inputs;
    std::optional<std::uint32_t> fused;
    std::uint32_t deepest = 0;
    for (std::uint32_t port = 0; port < inputs.size(); ++port) {
        const NodeId conv = inputs[port].valid() ? convolutionBehind(model, inputs[port]) : NodeId{};
        if (!conv.valid() || (fused && depth[graph.opOfNode[conv.index]] <= deepest))
            continue;
        fused = port;
        deepest = depth[graph.opOfNode[conv.index]];
    }
    for (std::uint32_t port = 0; port < inputs.size(); ++port) {
        if (!fused || port == *fused)
            dropReader(draft, add, port);
    }
    if (!fused)
        floatReason.code = ReasonCode::NoConvolutionBefore;
}

} // namespace

std::vector<DecisionReason> applyTensorRtRules(
    DraftSetup& draft, const Model& model, const OpGraph& graph, const PropagationState& state)
{
    std::vector<DecisionReason> floatReasons(model.nodes.size());
    const auto depth = depths(graph);
    for (const Vertex& vertex : state.graph().vertices) {
        const Op& op = graph.ops[vertex.primary()];
        const bool adds = vertex.traits.trait == Trait::InputsQuantizable && op.kind == OpKind::Node
            && model.node(op.node).opType == "Add";
        if (adds)
            decideAddition(draft, model, graph, depth, op.node, floatReasons[op.node.index]);
    }
    return floatReasons;
}

} // namespace duo
