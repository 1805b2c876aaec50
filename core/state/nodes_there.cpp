// SPDX-License-Identifier: Apache-2.0
#include "core/state/nodes_there.h"

#include "core/model/value_address.h"
#include "core/support/phrases.h"

#include <algorithm>

namespace duo {

NodesThere::NodesThere(const Model& model, const Scopes& scopes, GraphRecord recorded, bool isSameGraph)
    : m_model(model)
    , m_recorded(std::move(recorded))
{
    if (m_recorded.nodes.empty())
        return;
    m_present = graphRecord(model, scopes);
    m_found = findNodes(m_recorded, m_present, isSameGraph);
    for (std::size_t i = 0; i < m_recorded.nodes.size(); ++i)
        m_index.emplace(m_recorded.nodes[i].name, i);
}

NodeId NodesThere::find(const std::string& name) const
{
    const auto recorded = m_index.find(name);
    if (recorded == m_index.end())
        return m_recorded.nodes.empty() ? m_model.findNode(name) : NodeId();
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
    if (m_model.findNode(name).valid())
        return " that does the same: the one of this name has another operator or scope, or reads other parameters";
    std::string text;
    for (const std::string& node : nearestNodes(m_recorded.nodes[recorded->second], m_present.nodes, m_found))
        text += (text.empty() ? "" : ", ") + inQuotes(node);
    return text.empty() ? text : " (nearest: " + text + ")";
}

std::string NodesThere::nameHere(const std::string& name) const
{
    const NodeId node = find(name);
    return node.valid() ? m_model.node(node).name : name;
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
        const auto& inputs = m_model.node(m_model.findNode(change.nodes.front())).inputs;
        const auto isValue = [&](ValueId input) { return input.valid() && addressOf(m_model, input) == change.value; };
        if (std::ranges::none_of(inputs, isValue) && !inputs.empty() && inputs.front().valid())
            change.value = addressOf(m_model, inputs.front());
    }
    DUO_CHECK(checkFits(m_model, change));
    return change;
}

} // namespace duo
