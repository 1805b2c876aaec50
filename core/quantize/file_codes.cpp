// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/file_codes.h"

#include "core/model/op_facts.h"
#include "core/quantize/points/compressed.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/weights.h"
#include "core/quantize/profiles/clamps.h"

#include <algorithm>

namespace duo {

bool FileCodes::runs(NodeId id, VertexIndex v, const Decisions& known) const
{
    if (!areDataCodes(id, v, known) || isPlacedAt(id))
        return false;
    switch (m_facts.fused.vertices[v].traits.trait) {
    case Trait::InputsQuantizable:
        return !readsFloatConstant(m_model, m_model.node(id)) && computesOnCodes(id);
    case Trait::Agnostic:
    case Trait::Concat:
        return movesOnCodes(id);
    case Trait::NonQuantizable:
        return m_facts.target.placesForOrtCpu && opFacts(m_model.node(id)).int8 == Int8Kernel::Own
            && isGivenInCodes(id);
    case Trait::Embedding:
        return false;
    }
    return false;
}

bool FileCodes::readsCodesOnly(NodeId id, VertexIndex v, const Decisions& known) const
{
    return areDataCodes(id, v, known) && !readsFloatConstant(m_model, m_model.node(id));
}

bool FileCodes::isRead(const Vertex& vertex) const
{
    return std::ranges::any_of(vertex.in, [&](InputIndex index) {
        return isDequantized(m_model, m_facts.graph.edges[m_facts.fused.inputs[index].edge].value);
    });
}

bool FileCodes::hasWeights(NodeId id) const
{
    const Node& node = m_model.node(id);
    return std::ranges::any_of(duo::weightPorts(node), [&](std::uint32_t port) {
        return port < node.inputs.size() && isDequantizedConstant(m_model, node.inputs[port]);
    });
}

bool FileCodes::isTableRead(const Node& node) const
{
    return isAnyOf(node, {"Gather"}) && !node.inputs.empty() && !node.outputs.empty() && node.outputs[0].valid()
        && isDequantizedConstant(m_model, node.inputs[0]);
}

bool FileCodes::isGivenInCodes(NodeId id) const
{
    const auto& outputs = m_model.node(id).outputs;
    return !outputs.empty() && outputs.front().valid() && goIntoCodes(outputs.front());
}

/// A DequantizeLinear of the file gives it in the same graph, an operator that gives codes (QOperator), or what moves
/// such values.
bool FileCodes::isCode(NodeId reader, ValueId value, const Decisions& known) const
{
    const NodeId producer = value.valid() ? m_model.value(value).producer : NodeId{};
    if (!producer.valid() || (m_facts.target.placesForOrtCpu && crossesBorder(m_model, reader, value)))
        return false;
    const Node& giver = m_model.node(producer);
    if (isQuantizer(giver) || givesCodes(giver))
        return true;
    const Decision& decision = known[producer.index];
    return movesData(m_facts.graph, producer) && decision.state == NodeState::Quantized
        && decision.kind() == ReasonKind::FileQuantizer;
}

bool FileCodes::areDataCodes(NodeId id, VertexIndex v, const Decisions& known) const
{
    const Vertex& vertex = m_facts.fused.vertices[v];
    const bool moves = vertex.traits.trait == Trait::Agnostic || vertex.traits.trait == Trait::Concat; // any type
    return !vertex.in.empty() && std::ranges::all_of(vertex.in, [&](InputIndex index) {
        const ValueId value = m_facts.graph.edges[m_facts.fused.inputs[index].edge].value;
        return (moves || mayBeFloat(m_model, value)) && isCode(id, value, known);
    });
}

bool FileCodes::isPlacedAt(NodeId id) const
{
    const std::uint32_t first = m_facts.graph.ports.first(id);
    const auto& inputs = m_facts.trace.places.inputs;
    return std::any_of(inputs.begin() + first, inputs.begin() + first + m_facts.graph.ports.count(id),
        [](std::uint8_t kind) { return kind != QuantizedPlaces::None; });
}

/// Only matrix products give numbers from codes in one kernel; all others are asked to give codes too.
bool FileCodes::computesOnCodes(NodeId id) const
{
    const Node& node = m_model.node(id);
    if (!m_facts.target.placesForOrtCpu || isProduct(node, Product::Matrix) || node.opType == "Gemm")
        return true;
    const Int8Kernel kernel = opFacts(node).int8;
    return (kernel == Int8Kernel::Own || kernel == Int8Kernel::Product) && isGivenInCodes(endOfClamps(m_model, id));
}

/// What joins or takes apart is no mere movement to ONNX Runtime: all that it gives has to be codes too.
bool FileCodes::movesOnCodes(NodeId id) const
{
    if (!m_facts.target.placesForOrtCpu || merelyMoves(m_facts.graph, id))
        return true;
    return std::ranges::all_of(
        m_model.node(id).outputs, [this](ValueId value) { return !value.valid() || goIntoCodes(value); });
}

/// All that read it make codes of it; ONNX Runtime moves a quantizer up through what alone reads a value and moves it.
bool FileCodes::goIntoCodes(ValueId value) const
{
    for (;;) {
        const auto& uses = m_model.value(value).uses;
        if (uses.empty())
            return false;
        const NodeId reader = uses.front().node;
        if (uses.size() > 1 || !merelyMoves(m_facts.graph, reader) || !m_model.node(reader).outputs.front().valid())
            return std::ranges::all_of(
                uses, [this](const Use& use) { return m_model.node(use.node).opType == "QuantizeLinear"; });
        value = m_model.node(reader).outputs.front();
    }
}

bool mayBeFloat(const Model& model, ValueId value)
{
    const ElementType type = model.value(value).type.element;
    return type == ElementType::Float32 || type == ElementType::Undefined || isOtherFloat(type);
}

} // namespace duo
