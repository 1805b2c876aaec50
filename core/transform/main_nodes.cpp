// SPDX-License-Identifier: Apache-2.0
#include "core/transform/main_nodes.h"

#include <algorithm>

namespace duo {
namespace {

constexpr RegionId kMain(0);

} // namespace

MainNodes::MainNodes(const Model& model)
    : m_model(model)
{
    if (model.regions.size() < 2)
        return;
    m_owned.resize(model.nodes.size());
    for (std::size_t i = 1; i < model.regions.size(); ++i) {
        if (model.regions[i].owner.valid())
            m_owned[model.regions[i].owner.index].emplace_back(i);
    }
}

NodeId MainNodes::around(NodeId node) const
{
    while (m_model.node(node).region != kMain)
        node = m_model.region(m_model.node(node).region).owner;
    return node;
}

std::span<const Node> MainNodes::within(NodeId node) const
{
    std::size_t end = node.index + 1;
    while (end < m_model.nodes.size() && m_model.nodes[end].region != kMain)
        ++end;
    return std::span(m_model.nodes).subspan(node.index, end - node.index);
}

std::vector<ValueId> MainNodes::reads(NodeId node) const
{
    const std::size_t end = node.index + within(node).size();
    const auto isOwn = [&](NodeId producer) { return producer.index >= node.index && producer.index < end; };
    std::vector<ValueId> found;
    const auto note = [&](const std::vector<ValueId>& values) {
        for (const ValueId value : values) {
            if (value.valid() && m_model.value(value).region == kMain && !isOwn(m_model.value(value).producer))
                found.push_back(value);
        }
    };
    for (std::size_t i = node.index; i < end; ++i) {
        note(m_model.nodes[i].inputs);
        for (std::size_t owned = 0; !m_owned.empty() && owned < m_owned[i].size(); ++owned)
            note(m_model.region(m_owned[i][owned]).outputs);
    }
    std::ranges::sort(found, {}, &ValueId::index);
    const auto repeated = std::ranges::unique(found);
    found.erase(repeated.begin(), repeated.end());
    return found;
}

} // namespace duo
