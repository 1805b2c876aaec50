// SPDX-License-Identifier: Apache-2.0
#include "core/transform/node_rewrite.h"

#include "core/content/float_values.h"

#include <algorithm>
#include <cstring>

namespace duo {

OpsetEdits::OpsetEdits(const Model& model)
    : m_model(model)
{
    for (const Value& value : model.values)
        m_taken.take(value.name);
}

std::optional<std::int64_t> OpsetEdits::rankOf(ValueId value)
{
    if (!m_ranks)
        m_ranks.emplace(m_model);
    return m_ranks->of(value);
}

std::string OpsetEdits::freshName(const std::string& wish)
{
    return m_taken.fresh(wish);
}

void NodeRewrite::drop(std::string_view name)
{
    if (node().attribute(name) == nullptr)
        return;
    m_edits.list.attributes.push_back({m_id, {std::string(name), {}}});
    m_isChanged = true;
}

void NodeRewrite::set(std::string_view name, decltype(Attribute::value) value)
{
    m_edits.list.attributes.push_back({m_id, {std::string(name), std::move(value)}});
    m_isChanged = true;
}

void NodeRewrite::become(const std::string& opType)
{
    m_edits.list.opTypes.emplace_back(m_id, opType);
    m_edits.renamed.insert(m_id);
    m_isChanged = true;
}

bool NodeRewrite::hasInput(std::size_t port) const
{
    return port < node().inputs.size() && node().inputs[port].valid();
}

std::optional<std::int64_t> NodeRewrite::rankOfInput(std::size_t port) const
{
    return hasInput(port) ? m_edits.rankOf(node().inputs[port]) : std::nullopt;
}

std::string NodeRewrite::inputName(std::size_t port) const
{
    return hasInput(port) ? model().value(node().inputs[port]).name : std::string();
}

void NodeRewrite::giveInput(std::size_t port, const std::string& value)
{
    m_inputs = std::max(m_inputs, node().inputs.size());
    for (; m_inputs < port; ++m_inputs)
        m_edits.list.inputs.push_back({m_id, static_cast<std::uint32_t>(m_inputs), ""});
    m_edits.list.inputs.push_back({m_id, static_cast<std::uint32_t>(port), value});
    m_inputs = std::max(m_inputs, port + 1);
    m_isChanged = true;
}

void NodeRewrite::giveInts(std::size_t port, const char* what, std::span<const std::int64_t> values)
{
    giveInput(port, addInts(what, values));
}

void NodeRewrite::giveFloats(std::size_t port, const char* what, std::span<const float> values)
{
    giveInput(port, addVector(what, ElementType::Float32, values.size(), std::as_bytes(values)));
}

void NodeRewrite::giveScalar(std::size_t port, const char* what, float value)
{
    const ElementType type = hasInput(0) ? model().value(node().inputs[0]).type.element : ElementType::Undefined;
    if (!isConvertible(type))
        return refuse("the element type of its input is not known, or is no float");
    std::vector<std::byte> bytes(sizeof(float));
    std::memcpy(bytes.data(), &value, sizeof(float));
    const Tensor wide{{}, ElementType::Float32, {}, SharedBytes::own(std::move(bytes))};
    NewTensor tensor{{}, type, {}, {}};
    tensor.bytes.resize(static_cast<std::size_t>(packedBytes(type, 1).value_or(0)));
    convertElements(wide, 0, type, tensor.bytes);
    giveInput(port, addTensor(what, std::move(tensor)));
}

bool NodeRewrite::isRead(std::size_t port) const
{
    if (port >= node().outputs.size() || !node().outputs[port].valid())
        return false;
    const ValueId id = node().outputs[port];
    const Value& value = model().value(id);
    const auto& bodyOutputs = model().region(value.region).outputs;
    return !value.uses.empty() || value.isOutput || std::ranges::find(bodyOutputs, id) != bodyOutputs.end();
}

void NodeRewrite::omitOutput(std::size_t port)
{
    if (port >= node().outputs.size() || !node().outputs[port].valid())
        return;
    m_edits.list.outputs.push_back({m_id, static_cast<std::uint32_t>(port), ""});
    m_isChanged = true;
}

std::string NodeRewrite::addHelper(
    Side side, const char* opType, std::vector<std::string> inputs, std::vector<Attribute> attributes)
{
    NewNode added = helper(side, opType, std::move(inputs));
    added.attributes = std::move(attributes);
    added.outputs = {nameFor(opType)};
    m_edits.list.newNodes.push_back(added);
    return added.outputs.front();
}

std::string NodeRewrite::takeOverOutput(const char* opType, const std::string& second)
{
    const std::string inner = nameFor("inner");
    NewNode added = helper(Side::After, opType, {inner, second});
    added.outputs = {model().value(node().outputs.front()).name};
    m_edits.list.newNodes.push_back(std::move(added));
    m_edits.list.outputs.push_back({m_id, 0, inner});
    m_edits.renamed.insert(m_id);
    return inner;
}

std::string NodeRewrite::addInts(const char* what, std::span<const std::int64_t> values)
{
    return addVector(what, ElementType::Int64, values.size(), std::as_bytes(values));
}

void NodeRewrite::refuse(const std::string& why)
{
    if (!m_refusal)
        m_refusal = why;
}

/// After the first output, which is unique where node names need not be.
std::string NodeRewrite::nameFor(const std::string& what)
{
    for (const ValueId output : node().outputs) {
        if (output.valid())
            return m_edits.freshName(model().value(output).name + "_" + what);
    }
    return m_edits.freshName(node().opType + "_" + what);
}

std::string NodeRewrite::addVector(
    const char* what, ElementType type, std::size_t length, std::span<const std::byte> bytes)
{
    return addTensor(what, {{}, type, {static_cast<std::int64_t>(length)}, {bytes.begin(), bytes.end()}});
}

std::string NodeRewrite::addTensor(const char* what, NewTensor tensor)
{
    tensor.name = nameFor(what);
    m_edits.list.newTensors.push_back(std::move(tensor));
    m_isChanged = true;
    return m_edits.list.newTensors.back().name;
}

/// Unnamed, and so called by its type and output, where the node has no name of its own or the name is taken.
NewNode NodeRewrite::helper(Side side, const char* opType, std::vector<std::string> inputs)
{
    NewNode added;
    const std::string ending = std::string("_") + opType;
    if (node().origin.hadName && !model().findNode(node().name + ending).valid())
        added.name = node().localName + ending;
    added.opType = opType;
    added.inputs = std::move(inputs);
    added.metadata = node().metadata;
    added.anchor = m_id;
    added.after = side == Side::After;
    m_isChanged = true;
    return added;
}

} // namespace duo
