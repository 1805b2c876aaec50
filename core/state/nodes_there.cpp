// SPDX-License-Identifier: Apache-2.0
#include "core/state/nodes_there.h"

#include "core/model/op_facts.h"
#include "core/model/value_address.h"
#include "core/state/same_ports.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <ranges>

namespace duo {

NodesThere::NodesThere(const Model& model, const Scopes& scopes, GraphRecord recorded, bool isSameGraph)
    : m_model(&model)
    , m_recorded(std::move(recorded))
{
    if (m_recorded.nodes.empty())
        return;
    m_present = graphRecord(model, scopes);
    if (m_recorded.inputNames)
        m_inputs = samePorts(*m_recorded.inputNames, *m_present.inputNames);
    m_foundPresent = findNodes(m_recorded, m_present, isSameGraph);
    m_found = m_foundPresent;
    for (std::size_t i = 0; i < m_recorded.nodes.size(); ++i)
        m_index.emplace(m_recorded.nodes[i].name, i);
    noteRecorded();
}

void NodesThere::noteRecorded()
{
    m_recordedHere.clear();
    for (const auto& found : m_found) {
        if (found)
            m_recordedHere.insert(NodeId(found->index));
    }
}

bool NodesThere::isRecorded(NodeId node) const
{
    return m_recorded.nodes.empty() || m_recordedHere.contains(node);
}

bool NodesThere::isRecorded(ValueId input) const
{
    const auto isIt = [&](std::uint32_t i) { return this->input(i) == input; };
    const auto count = static_cast<std::uint32_t>(m_inputs.size());
    return m_inputs.empty() || std::ranges::any_of(std::views::iota(0U, count), isIt);
}

std::vector<NodeId> NodesThere::newNodes() const
{
    std::vector<NodeId> nodes;
    for (std::uint32_t i = 0; i < m_model->nodes.size(); ++i) {
        const Node& node = m_model->node(NodeId(i));
        const bool reads = std::ranges::any_of(
            node.inputs, [&](ValueId input) { return input.valid() && m_model->constant(input) == nullptr; });
        if (reads && opFacts(node).moved == 0 && !isRecorded(NodeId(i)))
            nodes.push_back(NodeId(i));
    }
    return nodes;
}

NodesThere NodesThere::in(const Model& changed, const std::vector<AddedNode>& added) const
{
    NodesThere there = *this;
    there.m_model = &changed;
    const auto idOf = [&](const std::string& name) { return changed.findNode(name); };
    for (auto& found : there.m_found) {
        const NodeId node = found ? idOf(m_model->node(NodeId(found->index)).name) : NodeId();
        if (node.valid())
            found->index = node.index;
        else
            found.reset();
    }
    for (const AddedNode& node : added) {
        const auto recorded = m_index.find(node.was);
        if (recorded != m_index.end() && idOf(node.is).valid())
            there.m_found[recorded->second] = FoundNode{idOf(node.is).index, foundBy(node.before)};
    }
    there.noteRecorded();
    return there;
}

ValueId NodesThere::input(std::uint32_t i) const
{
    const auto& inputs = m_model->mainGraph().inputs;
    if (!m_inputs.empty())
        return i < m_inputs.size() && m_inputs[i] ? inputs[*m_inputs[i]] : ValueId();
    return i < inputs.size() ? inputs[i] : ValueId();
}

FoundBy NodesThere::inputFoundBy(std::uint32_t i) const
{
    const bool isKnown = i < m_inputs.size() && m_inputs[i];
    return isKnown && m_recorded.inputNames->at(i) != m_present.inputNames->at(*m_inputs[i]) ? FoundBy::Position
                                                                                             : FoundBy::Name;
}

NodeId NodesThere::find(const std::string& name) const
{
    const auto recorded = m_index.find(name);
    if (recorded == m_index.end())
        return m_recorded.nodes.empty() ? m_model->findNode(name) : NodeId();
    const auto& found = m_found[recorded->second];
    return found ? NodeId(found->index) : NodeId();
}

FoundNode NodesThere::foundAt(const std::string& name) const
{
    const auto recorded = m_index.find(name);
    return recorded == m_index.end() ? FoundNode() : m_found[recorded->second].value_or(FoundNode());
}

FoundBy NodesThere::foundBy(const std::string& name) const
{
    return foundAt(name).by;
}

bool NodesThere::givesTheSame(const std::string& name) const
{
    return foundAt(name).givesTheSame;
}

bool NodesThere::takesTheSame(const std::string& name) const
{
    return foundAt(name).takesTheSame;
}

std::string NodesThere::nearest(const std::string& name) const
{
    const auto recorded = m_index.find(name);
    if (recorded == m_index.end())
        return {};
    if (m_model->findNode(name).valid())
        return " that does the same: the one of this name has another operator or scope, or reads other parameters";
    std::string text;
    for (const std::string& node : nearestNodes(m_recorded.nodes[recorded->second], m_present.nodes, m_foundPresent))
        text += (text.empty() ? "" : ", ") + inQuotes(node);
    return text.empty() ? text : " (nearest: " + text + ")";
}

std::string NodesThere::nameHere(const std::string& name) const
{
    const NodeId node = find(name);
    return node.valid() ? m_model->node(node).name : name;
}

RuleSet NodesThere::renamed(RuleSet rules) const
{
    for (Rule& rule : rules.rules) {
        if (rule.kind == RuleKind::Name)
            rule.value = nameHere(rule.value);
        for (std::vector<std::string>* names : {&rule.inputs, &rule.outputs, &rule.nodes})
            std::ranges::transform(*names, names->begin(), [&](const auto& name) { return nameHere(name); });
    }
    return rules;
}

Result<FloatChange> NodesThere::renamed(FloatChange change) const
{
    std::vector<std::string> names = change.nodes;
    if (!change.foldedInto.empty())
        names.push_back(change.foldedInto);
    for (const std::string& name : names) {
        if (!find(name).valid())
            return Error{ErrorCode::BadState, "the model has no node " + inQuotes(name) + nearest(name), {}, {}};
    }
    std::ranges::transform(change.nodes, change.nodes.begin(), [&](const auto& name) { return nameHere(name); });
    change.foldedInto = change.foldedInto.empty() ? std::string() : nameHere(change.foldedInto);
    if (!change.value.empty() && !change.nodes.empty()) { // what the nodes read as data, whatever it is called
        const auto& inputs = m_model->node(m_model->findNode(change.nodes.front())).inputs;
        const auto isValue = [&](ValueId input) { return input.valid() && addressOf(*m_model, input) == change.value; };
        if (std::ranges::none_of(inputs, isValue) && !inputs.empty() && inputs.front().valid())
            change.value = addressOf(*m_model, inputs.front());
    }
    DUO_CHECK(checkFits(*m_model, change));
    return change;
}

} // namespace duo
