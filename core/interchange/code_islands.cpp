// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/code_islands.h"

#include "core/interchange/dynamic_products.h"
#include "core/model/code_operators.h"
#include "core/model/node_inputs.h"
#include "core/model/op_facts.h"
#include "core/transform/elimination.h"

#include <algorithm>

namespace duo {
namespace {

/// In whatever type they are. Pad is none of them: what it pads with is a code, too.
bool carriesCodes(const Node& node)
{
    const bool keepsThem
        = movesCodes(node) || (opFacts(node).passing == Passing::Layout && !has(node, mark::kConverts));
    return keepsThem && !isQuantizer(node) && !isAnyOf(node, {"Pad"});
}

bool mayBeCodes(ElementType type)
{
    return type != ElementType::Undefined && type != ElementType::Bool && !isFloating(type) && elementBits(type) <= 16;
}

} // namespace

CodeIslands::CodeIslands(const Model& model)
    : m_model(model)
    , m_island(model.values.size())
    , m_parent{0}
    , m_isMover(model.nodes.size())
    , m_carriesTable(model.nodes.size())
{
    for (const NodeId id : model.order)
        give(id);
    m_isBlocked.resize(m_parent.size());
    m_isQuantized.resize(m_parent.size());
    m_dequantizers.resize(m_parent.size());
    m_hasManyScales.resize(m_parent.size());
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        if (!isQuantizer(node))
            continue;
        if (node.opType == "DequantizeLinear" && !node.inputs.empty() && hasCodes(node.inputs[0]))
            addDequantizer(node.inputs[0], id);
        else if (node.opType == "QuantizeLinear" && !node.outputs.empty() && hasCodes(node.outputs[0]))
            m_isQuantized[rootOf(m_island[node.outputs[0].index])] = true;
    }
    const std::vector<bool> isPinned = pinnedValues(model);
    for (std::uint32_t i = 0; i < model.values.size(); ++i) {
        if (m_island[i] != 0)
            judge(ValueId(i), isPinned);
    }
}

std::uint32_t CodeIslands::rootOf(std::uint32_t island) const
{
    while (m_parent[island] != island) {
        m_parent[island] = m_parent[m_parent[island]];
        island = m_parent[island];
    }
    return island;
}

void CodeIslands::join(ValueId one, ValueId other)
{
    m_parent[rootOf(m_island[other.index])] = rootOf(m_island[one.index]);
}

bool CodeIslands::canGo(ValueId value) const
{
    return hasCodes(value) && !m_isBlocked[rootOf(m_island[value.index])];
}

/// Whether there are codes among its inputs that no quantizer made.
bool CodeIslands::readsOtherCodes(const Node& node, std::size_t from) const
{
    return std::any_of(
        node.inputs.begin() + static_cast<std::ptrdiff_t>(from), node.inputs.end(), [this](ValueId input) {
            return input.valid() && !hasCodes(input) && mayBeCodes(m_model.value(input).type.element);
        });
}

/// Constant codes of eight bits.
bool CodeIslands::isTable(ValueId value) const
{
    const Tensor* tensor = value.valid() ? m_model.constant(value) : nullptr;
    return tensor != nullptr && (tensor->type == ElementType::Int8 || tensor->type == ElementType::UInt8);
}

/// What others dequantize by another scale cannot be one table of floats.
void CodeIslands::addDequantizer(ValueId codes, NodeId id)
{
    const std::uint32_t root = rootOf(m_island[codes.index]);
    const Node& node = m_model.node(id);
    const NodeId known = m_dequantizers[root];
    const auto sameAt = [&](std::size_t port) { return inputAt(node, port) == inputAt(m_model.node(known), port); };
    m_isQuantized[root] = true;
    m_hasManyScales[root] = m_hasManyScales[root] || (known.valid() && !(sameAt(1) && sameAt(2)));
    if (!known.valid())
        m_dequantizers[root] = id;
}

std::vector<NotRecovered> CodeIslands::blockers() const
{
    std::vector<NotRecovered> told;
    for (const auto& [value, blocker] : m_blockers) {
        if (m_isQuantized[rootOf(m_island[value.index])])
            told.push_back(blocker);
    }
    return told;
}

/// Marks what a node gives in codes, and joins it with what it is made of.
void CodeIslands::give(NodeId id)
{
    const Node& node = m_model.node(id);
    if (node.isCall || node.outputs.empty() || !node.outputs[0].valid())
        return;
    std::vector<ValueId> from;
    const auto known = codeOperator(node);
    if (known) {
        for (const CodePort& port : known->inputs)
            from.push_back(node.inputs[port.value]);
    } else if (carriesCodes(node) && !readsOtherCodes(node, 0)) {
        from = node.inputs;
    } else if (carriesCodes(node) && !node.inputs.empty() && isTable(node.inputs[0]) && !readsOtherCodes(node, 1)) {
        m_carriesTable[id.index] = true;
    }
    std::erase_if(from, [this](ValueId value) { return !hasCodes(value); });
    m_isMover[id.index] = !known && (!from.empty() || m_carriesTable[id.index]);
    const bool gives = node.opType == "QuantizeLinear" || (known && known->resultScale) || m_isMover[id.index];
    for (std::size_t i = 1; i < from.size(); ++i)
        join(from.front(), from[i]);
    for (const ValueId output : node.outputs) {
        if (!gives || !output.valid())
            continue;
        m_island[output.index] = static_cast<std::uint32_t>(m_parent.size());
        m_parent.push_back(m_island[output.index]);
        if (!from.empty())
            join(from.front(), output);
    }
}

void CodeIslands::block(ValueId value, NodeId node, std::string why)
{
    m_isBlocked[rootOf(m_island[value.index])] = true;
    m_blockers.push_back({value, {node, std::move(why)}});
}

/// Whether all codes that an operator on codes reads are constants or come from quantizers; true for other nodes.
bool CodeIslands::knowsInputs(const Node& node) const
{
    const auto known = codeOperator(node);
    const auto isConstant = [&](std::uint32_t port) { return m_model.constant(node.inputs[port]) != nullptr; };
    if (!known)
        return true;
    if (!canBeCopied(node))
        return false;
    if (known->bias && !(isConstant(*known->bias) && isConstant(known->inputs[0].scale)))
        return false;
    return std::ranges::all_of(known->inputs, [&](const CodePort& port) {
        return hasCodes(node.inputs[port.value]) || (isConstant(port.value) && isConstant(port.scale));
    });
}

bool CodeIslands::understands(const Use& use) const
{
    const Node& node = m_model.node(use.node);
    if (m_model.isInFunction(node))
        return false;
    if (isMover(use.node))
        return true;
    const auto facts = codeFactsAt(node, use.port);
    return facts && (node.opType == "DequantizeLinear" || (codeOperator(node) && knowsInputs(node)));
}

/// Whether all who dequantize an island do so by one constant scale.
bool CodeIslands::hasOneScale(ValueId value) const
{
    const std::uint32_t root = rootOf(m_island[value.index]);
    const NodeId id = m_dequantizers[root];
    if (!id.valid() || m_hasManyScales[root])
        return false;
    const Tensor* scale = constantAt(m_model, m_model.node(id), 1);
    return scale != nullptr && scale->elements() == 1;
}

void CodeIslands::judge(ValueId id, const std::vector<bool>& isPinned)
{
    const Value& value = m_model.value(id);
    if (value.isOutput)
        return block(id, value.producer, "its codes are an output of the graph");
    if (isPinned[id.index] || m_model.isInFunction(m_model.node(value.producer)))
        return block(id, value.producer, "a local function reads or gives its codes: inline it first");
    if (m_carriesTable[value.producer.index] && !hasOneScale(id))
        return block(id, value.producer, "its table is not dequantized by one constant scale");
    if (!knowsInputs(m_model.node(value.producer)))
        return block(id, value.producer,
            "it reads codes that no quantizer of the model makes or by scales that are computed while it runs, or has "
            "attributes that its operator does not have");
    for (const Use& use : value.uses) {
        if (!understands(use))
            return block(id, use.node, m_model.node(use.node).opType + " computes on codes in a way that is not known");
    }
}

} // namespace duo
