// SPDX-License-Identifier: Apache-2.0
#include "core/transform/elimination.h"

#include <algorithm>

namespace duo {
namespace {

std::uint64_t keyOf(NodeId node, std::uint32_t port)
{
    return std::uint64_t{node.index} << 32U | port;
}

} // namespace

std::vector<bool> pinnedValues(const Model& model)
{
    std::vector<bool> isPinned(model.values.size());
    for (const Node& node : model.nodes) {
        if (!node.isCall && !model.isInFunction(node))
            continue;
        for (const auto* ports : {&node.inputs, &node.outputs}) {
            for (const ValueId value : *ports) {
                if (value.valid())
                    isPinned[value.index] = true;
            }
        }
    }
    for (std::size_t r = 0; r < model.regions.size(); ++r) {
        for (const ValueId value : model.regions[r].outputs) {
            if (value.valid() && model.value(value).region != RegionId(static_cast<std::uint32_t>(r)))
                isPinned[value.index] = true; // of another graph, by its name
        }
    }
    return isPinned;
}

Elimination::Elimination(const PassScene& scene)
    : m_scene(scene)
    , m_model(scene.model)
    , m_isPinned(pinnedValues(scene.model))
    , m_by(scene.model.values.size())
{
    if (m_model.regions.size() == 1)
        return;
    for (const Value& value : m_model.values)
        ++m_counts[value.name];
}

ValueId Elimination::now(ValueId value) const
{
    return value.valid() && m_by[value.index].valid() ? m_by[value.index] : value;
}

bool Elimination::mayChange(NodeId id) const
{
    const Node& node = m_model.node(id);
    return m_scene.mayChange(id) && !node.isCall && !m_model.isInFunction(node);
}

bool Elimination::isUnique(const std::string& name) const
{
    const auto found = m_counts.find(name);
    return found == m_counts.end() || found->second == 1;
}

/// Why readers of `old` cannot read `by`, which is what it is by now; nothing where they can.
std::optional<std::string> Elimination::whyStays(ValueId old, ValueId by) const
{
    const Value& from = m_model.value(old);
    const Value& to = m_model.value(by);
    if (m_isPinned[old.index] || m_isPinned[by.index])
        return "a local function reads or gives its value";
    if (!isUnique(from.name) || !isUnique(to.name))
        return "values of several bodies have the name of its value";
    if (!from.isOutput)
        return std::nullopt;
    if (!to.producer.valid() || to.isOutput || m_names.contains(by.index) || to.region != from.region
        || !mayChange(to.producer))
        return "it gives an output of its graph, whose name has to stay";
    return std::nullopt;
}

void Elimination::replace(ValueId old, ValueId by)
{
    m_by[old.index] = by;
    m_replaced.push_back(old);
    if (m_model.value(old).isOutput)
        m_names.emplace(by.index, m_model.value(old).name);
}

bool Elimination::canBypass(NodeId id, ValueId by) const
{
    by = now(by);
    const Node& node = m_model.node(id);
    return !node.outputs.empty() && node.outputs[0].valid() && by.valid() && !whyStays(node.outputs[0], by);
}

bool Elimination::bypass(NodeId id, ValueId by)
{
    by = now(by);
    const Node& node = m_model.node(id);
    if (node.outputs.empty() || !node.outputs[0].valid() || !by.valid())
        return false;
    if (const auto why = whyStays(node.outputs[0], by)) {
        m_result.skipped.push_back({id, *why});
        return false;
    }
    replace(node.outputs[0], by);
    m_edits.removedNodes.push_back(id);
    m_result.applied.push_back(id);
    return true;
}

bool Elimination::join(NodeId id, NodeId into)
{
    const Node& node = m_model.node(id);
    const Node& other = m_model.node(into);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (!node.outputs[i].valid())
            continue;
        if (!other.outputs[i].valid())
            return false;
        if (const auto why = whyStays(node.outputs[i], other.outputs[i])) {
            m_result.skipped.push_back({id, *why});
            return false;
        }
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.outputs[i].valid())
            replace(node.outputs[i], other.outputs[i]);
    }
    m_edits.removedNodes.push_back(id);
    m_result.applied.push_back(id);
    fuse(into, id);
    const auto place = m_places.find(into.index);
    const NodeId stands = place == m_places.end() ? into : place->second;
    if (id.index < stands.index)
        m_places[into.index] = id;
    return true;
}

/// As new nodes: the list of edits does not move any.
void Elimination::moveNodes()
{
    std::vector<std::uint32_t> moved;
    for (const auto& [node, place] : m_places)
        moved.push_back(node);
    std::ranges::sort(moved);
    std::unordered_map<std::uint32_t, std::size_t> at; // in newNodes
    for (const std::uint32_t index : moved) {
        const Node& node = m_model.nodes[index];
        NewNode copy{node.localName, node.opType, node.domain, {}, {}, node.attributes, node.metadata,
            m_places.at(index), false, node.region};
        for (const ValueId input : node.inputs)
            copy.inputs.push_back(input.valid() ? m_model.value(input).name : std::string());
        for (const ValueId output : node.outputs)
            copy.outputs.push_back(output.valid() ? m_model.value(output).name : std::string());
        at.emplace(index, m_edits.newNodes.size());
        m_edits.newNodes.push_back(std::move(copy));
        m_edits.removedNodes.emplace_back(index);
    }
    const auto move = [&](const std::vector<PortEdit>& edits, auto ports) {
        for (const PortEdit& edit : edits) {
            if (const auto found = at.find(edit.node.index); found != at.end())
                (m_edits.newNodes[found->second].*ports)[edit.port] = edit.value;
        }
    };
    move(m_edits.inputs, &NewNode::inputs);
    move(m_edits.outputs, &NewNode::outputs);
}

void Elimination::rewire(NodeId node, std::uint32_t port, ValueId value)
{
    m_rewired[keyOf(node, port)] = now(value);
}

void Elimination::set(NodeId node, Attribute attribute)
{
    m_edits.attributes.push_back({node, std::move(attribute)});
}

void Elimination::fuse(NodeId stays, NodeId goes)
{
    m_result.fused.emplace_back(stays, goes);
}

void Elimination::note(NodeId node)
{
    m_result.applied.push_back(node);
}

void Elimination::rename(ValueId value, std::string name)
{
    if (!m_model.value(value).isOutput)
        m_names.emplace(value.index, std::move(name));
}

std::string Elimination::nameNow(ValueId value) const
{
    value = now(value);
    const auto found = m_names.find(value.index);
    return found == m_names.end() ? m_model.value(value).name : found->second;
}

PassResult Elimination::result() &&
{
    if (m_result.applied.empty())
        return std::move(m_result);
    std::vector<bool> isRemoved(m_model.nodes.size());
    for (const NodeId node : m_edits.removedNodes)
        isRemoved[node.index] = true;
    const auto redirect = [&](ValueId from, ValueId to) {
        for (const Use& use : m_model.value(from).uses) {
            if (!isRemoved[use.node.index] && !m_rewired.contains(keyOf(use.node, use.port)))
                m_edits.inputs.push_back({use.node, use.port, nameNow(to)});
        }
    };
    for (const ValueId old : m_replaced)
        redirect(old, m_by[old.index]);
    std::vector<std::uint32_t> renamed;
    for (const auto& [value, name] : m_names)
        renamed.push_back(value);
    std::ranges::sort(renamed);
    for (const std::uint32_t value : renamed) {
        const Value& made = m_model.value(ValueId(value));
        m_edits.outputs.push_back({made.producer, made.producerPort, m_names.at(value)});
        redirect(ValueId(value), ValueId(value));
    }
    std::vector<std::uint64_t> keys;
    for (const auto& [key, value] : m_rewired)
        keys.push_back(key);
    std::ranges::sort(keys);
    for (const std::uint64_t key : keys) {
        const NodeId node(static_cast<std::uint32_t>(key >> 32U));
        if (!isRemoved[node.index])
            m_edits.inputs.push_back({node, static_cast<std::uint32_t>(key), nameNow(m_rewired.at(key))});
    }
    moveNodes();
    m_result.edits = std::move(m_edits);
    return std::move(m_result);
}

} // namespace duo
