// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/place/draft_setup.h"

#include <algorithm>
#include <tuple>

namespace duo {
namespace {

void sortUniqueInPlace(std::vector<NodeId>& nodes)
{
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

} // namespace

DraftSetup::DraftSetup(const Model& model)
    : m_model(model)
    , m_output(model.nodes.size(), kNoIndex)
{
}

DraftIndex DraftSetup::add(DraftPoint point)
{
    const auto index = static_cast<DraftIndex>(m_points.size());
    if (point.isWeight)
        m_weight.emplace(std::pair(point.node, *point.port), index);
    else if (point.port)
        m_input.emplace(std::pair(point.node, *point.port), index);
    else if (point.input.valid())
        m_modelInput.emplace(point.input, index);
    else
        m_output[point.node.index] = index;
    m_points.push_back(std::move(point));
    m_unified.push_back(index);
    return index;
}

void DraftSetup::remove(DraftIndex index)
{
    DraftPoint& point = m_points[index];
    point.isGone = true;
    if (point.isWeight)
        m_weight.erase({point.node, *point.port});
    else if (point.port)
        m_input.erase({point.node, *point.port});
    else if (point.input.valid())
        m_modelInput.erase(point.input);
    else
        m_output[point.node.index] = kNoIndex;
}

void DraftSetup::moveWeight(DraftIndex index, NodeId reader, std::uint32_t port)
{
    DraftPoint& point = m_points[index];
    m_weight.erase({point.node, *point.port});
    point.node = reader;
    point.port = port;
    m_weight.emplace(std::pair(reader, port), index);
}

DraftIndex DraftSetup::inputPoint(NodeId node, std::uint32_t port) const
{
    const auto found = m_input.find({node, port});
    return found == m_input.end() ? kNoIndex : found->second;
}

DraftIndex DraftSetup::modelInputPoint(ValueId input) const
{
    const auto found = m_modelInput.find(input);
    return found == m_modelInput.end() ? kNoIndex : found->second;
}

DraftIndex DraftSetup::weightPoint(NodeId node, std::uint32_t port) const
{
    const auto found = m_weight.find({node, port});
    return found == m_weight.end() ? kNoIndex : found->second;
}

DraftIndex DraftSetup::readPoint(NodeId node, std::uint32_t port) const
{
    const DraftIndex own = inputPoint(node, port);
    if (own != kNoIndex)
        return own;
    const auto& inputs = m_model.node(node).inputs;
    if (port >= inputs.size() || !inputs[port].valid())
        return kNoIndex;
    const NodeId producer = m_model.value(inputs[port]).producer;
    return producer.valid() ? outputPoint(producer) : modelInputPoint(inputs[port]);
}

DraftIndex DraftSetup::unifiedRoot(DraftIndex index)
{
    while (m_unified[index] != index) {
        m_unified[index] = m_unified[m_unified[index]];
        index = m_unified[index];
    }
    return index;
}

void DraftSetup::unify(DraftIndex a, DraftIndex b)
{
    const DraftIndex first = unifiedRoot(a);
    const DraftIndex second = unifiedRoot(b);
    m_unified[std::max(first, second)] = std::min(first, second);
}

std::vector<DraftIndex> DraftSetup::inNodeOrder() const
{
    std::vector<DraftIndex> order;
    for (DraftIndex i = 0; i < m_points.size(); ++i) {
        if (!m_points[i].isGone)
            order.push_back(i);
    }
    const auto key = [this](DraftIndex i) {
        const DraftPoint& point = m_points[i];
        return std::tuple(!point.input.valid(), point.input, point.node, !point.port.has_value(), point.isWeight,
            point.port.value_or(0));
    };
    std::sort(order.begin(), order.end(), [&](DraftIndex a, DraftIndex b) { return key(a) < key(b); });
    return order;
}

QuantizerSetup DraftSetup::finish()
{
    for (DraftIndex i = 0; i < m_points.size(); ++i) {
        sortUniqueInPlace(m_points[i].sinks);
        if (!m_points[i].isGone && m_points[i].sinks.empty() && !m_points[i].isNeeded)
            remove(i);
    }
    QuantizerSetup setup;
    std::vector<PointId> ids(m_points.size(), kNoIndex);
    for (const DraftIndex i : inNodeOrder()) {
        ids[i] = static_cast<PointId>(setup.points.size());
        const DraftPoint& point = m_points[i];
        setup.points.emplace(
            ids[i], QuantizationPoint{point.node, point.input, point.port, point.isWeight, point.config, point.sinks});
    }
    addUnifiedGroupsInPlace(setup, ids);
    addSharedGroupsInPlace(setup, ids);
    return setup;
}

void DraftSetup::addUnifiedGroupsInPlace(QuantizerSetup& setup, const std::vector<PointId>& ids)
{
    std::map<DraftIndex, std::vector<PointId>> groups;
    for (DraftIndex i = 0; i < m_points.size(); ++i) {
        if (ids[i] != kNoIndex && !m_points[i].config.perChannel)
            groups[unifiedRoot(i)].push_back(ids[i]);
    }
    std::vector<std::vector<PointId>> sorted;
    for (auto& [root, members] : groups) {
        std::sort(members.begin(), members.end());
        if (members.size() > 1)
            sorted.push_back(std::move(members));
    }
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t g = 0; g < sorted.size(); ++g)
        setup.unifiedScaleGroups.emplace(static_cast<std::uint32_t>(g), std::move(sorted[g]));
}

void DraftSetup::addSharedGroupsInPlace(QuantizerSetup& setup, const std::vector<PointId>& ids) const
{
    std::vector<DraftIndex> root(m_points.size());
    for (DraftIndex i = 0; i < root.size(); ++i)
        root[i] = i;
    const auto find = [&root](DraftIndex i) {
        while (root[i] != i)
            i = root[i] = root[root[i]];
        return i;
    };
    std::map<NodeId, DraftIndex> firstOfSink;
    for (DraftIndex i = 0; i < m_points.size(); ++i) {
        if (ids[i] == kNoIndex)
            continue;
        for (const NodeId sink : m_points[i].sinks) {
            const auto [entry, isNew] = firstOfSink.try_emplace(sink, i);
            if (!isNew)
                root[std::max(find(entry->second), find(i))] = std::min(find(entry->second), find(i));
        }
    }
    std::map<DraftIndex, std::vector<PointId>> groups;
    for (DraftIndex i = 0; i < m_points.size(); ++i) {
        if (ids[i] != kNoIndex)
            groups[find(i)].push_back(ids[i]);
    }
    std::vector<std::vector<PointId>> sorted;
    for (auto& [first, members] : groups) {
        std::sort(members.begin(), members.end());
        sorted.push_back(std::move(members));
    }
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t g = 0; g < sorted.size(); ++g)
        setup.sharedInputGroups.emplace(static_cast<std::uint32_t>(g), std::move(sorted[g]));
}

} // namespace duo
