// SPDX-License-Identifier: Apache-2.0
#include "core/state/nodes_there.h"

#include "core/model/value_address.h"
#include "core/support/phrases.h"

#include <algorithm>

namespace duo {

NodesThere::NodesThere(const Model& model, const Scopes& scopes, const std::vector<NodeRecord>& recorded)
    : m_model(model)
    , m_recorded(recorded)
{
    if (recorded.empty())
        return;
    m_present = nodeRecords(model, scopes);
    m_found = findNodes(recorded, m_present);
    for (std::size_t i = 0; i < recorded.size(); ++i)
        m_index.emplace(recorded[i].name, i);
}

NodeId NodesThere::find(const std::string& name) const
{
    const auto recorded = m_index.find(name);
    if (recorded == m_index.end())
        return m_recorded.empty() ? m_model.findNode(name) : NodeId();
    const auto& found = m_found[recorded->second];
    return found ? NodeId(found->index) : NodeId();
}

FoundBy NodesThere::foundBy(const std::string& name) const
{
    const auto recorded = m_index.find(name);
    return recorded == m_index.end() ? FoundBy::Name : m_found[recorded->second].value_or(FoundNode()).by;
}

std::string NodesThere::nearest(const std::string& name) const
{
    const auto recorded = m_index.find(name);
    if (recorded == m_index.end())
        return {};
    if (m_model.findNode(name).valid())
        return " that does the same: the one of this name has another operator or scope, or reads other parameters";
    std::string text;
    for (const std::string& node : nearestNodes(m_recorded[recorded->second], m_present, m_found))
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

std::vector<FloatChange> NodesThere::renamed(
    const std::vector<FloatChange>& changes, std::vector<std::string>& leftOut) const
{
    std::vector<FloatChange> here;
    for (FloatChange change : changes) {
        std::vector<std::string> names = change.nodes;
        if (!change.foldedInto.empty())
            names.push_back(change.foldedInto);
        const auto missing = std::ranges::find_if(names, [&](const auto& name) { return !find(name).valid(); });
        if (missing != names.end()) {
            leftOut.push_back("a change of the float model was left out: the model has no node " + inQuotes(*missing)
                + nearest(*missing));
            continue;
        }
        std::ranges::transform(change.nodes, change.nodes.begin(), [&](const auto& name) { return nameHere(name); });
        change.foldedInto = change.foldedInto.empty() ? std::string() : nameHere(change.foldedInto);
        if (!change.value.empty() && !change.nodes.empty()) { // what the nodes read as data, whatever it is called
            const auto& inputs = m_model.node(m_model.findNode(change.nodes.front())).inputs;
            const auto isValue
                = [&](ValueId input) { return input.valid() && addressOf(m_model, input) == change.value; };
            if (std::ranges::none_of(inputs, isValue) && !inputs.empty() && inputs.front().valid())
                change.value = addressOf(m_model, inputs.front());
        }
        here.push_back(std::move(change));
    }
    return here;
}

} // namespace duo
