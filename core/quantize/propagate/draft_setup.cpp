// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/propagate/draft_setup.h"

#include "core/quantize/points/point_index.h"
#include "core/support/sorted.h"

#include <algorithm>
#include <numeric>

namespace duo {
namespace {

/// Groups are numbered in the order of their first members. @param group its number, kNoIndex before the first member
void addMemberInPlace(PointGroups& groups, std::uint32_t& group, PointId member)
{
    if (group == kNoIndex) {
        group = static_cast<std::uint32_t>(groups.size());
        groups.emplace(group, {member});
    } else {
        groups[group].push_back(member);
    }
}

/// Points that share a node they quantize, directly or over others. As in NNCF a weight whose node reads float
/// otherwise is in none.
void addSharedGroupsInPlace(QuantizerSetup& setup, std::size_t nodes)
{
    std::vector<PointId> root(setup.points.size());
    std::iota(root.begin(), root.end(), PointId{0});
    const auto find = [&root](PointId i) {
        while (root[i] != i)
            i = root[i] = root[root[i]];
        return i;
    };
    std::vector<PointId> firstOfSink(nodes, kNoIndex);
    for (const auto& [id, point] : setup.points) {
        for (const NodeId sink : point.directlyQuantized) {
            PointId& first = firstOfSink[sink.index];
            if (first == kNoIndex)
                first = id;
            const auto [low, high] = std::minmax({find(first), find(id)});
            root[high] = low;
        }
    }
    std::vector<bool> hasActivation(root.size(), false); // [roots]
    for (const auto& [id, point] : setup.points)
        hasActivation[find(id)] = hasActivation[find(id)] || !point.isWeight;
    std::vector<std::uint32_t> groupOf(root.size(), kNoIndex); // [roots]
    for (PointId id = 0; id < root.size(); ++id) {
        if (hasActivation[find(id)])
            addMemberInPlace(setup.sharedInputGroups, groupOf[find(id)], id);
    }
}

} // namespace

DraftSetup::DraftSetup(const Model& model, const OpGraph& graph, std::size_t expected)
    : m_model(model)
    , m_ports(graph.ports)
    , m_output(model.nodes.size(), kNoIndex)
    , m_input(graph.ports.count(), kNoIndex)
    , m_weight(graph.ports.count(), kNoIndex)
{
    m_points.reserve(expected);
    m_unified.reserve(expected);
}

/// Where the index of a point is noted; null for a model input.
DraftIndex* DraftSetup::placeOf(const DraftPoint& point)
{
    if (point.input.valid())
        return nullptr;
    if (!point.port)
        return &m_output[point.node.index];
    return &(point.isWeight ? m_weight : m_input)[m_ports.first(point.node) + *point.port];
}

DraftIndex DraftSetup::add(DraftPoint point)
{
    const auto index = static_cast<DraftIndex>(m_points.size());
    if (DraftIndex* place = placeOf(point))
        *place = index;
    else
        m_modelInput.emplace(point.input, index);
    m_points.push_back(std::move(point));
    m_unified.push_back(index);
    return index;
}

void DraftSetup::remove(DraftIndex index)
{
    DraftPoint& point = m_points[index];
    point.isGone = true;
    if (DraftIndex* place = placeOf(point))
        *place = kNoIndex;
    else
        m_modelInput.erase(point.input);
}

void DraftSetup::moveWeight(DraftIndex index, NodeId reader, std::uint32_t port)
{
    DraftPoint& point = m_points[index];
    *placeOf(point) = kNoIndex;
    point.node = reader;
    point.port = port;
    *placeOf(point) = index;
}

DraftIndex DraftSetup::numberedAt(const std::vector<DraftIndex>& places, NodeId node, std::uint32_t port) const
{
    return port < m_ports.count(node) ? places[m_ports.first(node) + port] : kNoIndex;
}

DraftIndex DraftSetup::inputPoint(NodeId node, std::uint32_t port) const
{
    return numberedAt(m_input, node, port);
}

DraftIndex DraftSetup::weightPoint(NodeId node, std::uint32_t port) const
{
    return numberedAt(m_weight, node, port);
}

DraftIndex DraftSetup::modelInputPoint(ValueId input) const
{
    const auto found = m_modelInput.find(input);
    return found == m_modelInput.end() ? kNoIndex : found->second;
}

DraftIndex DraftSetup::readPoint(NodeId node, std::uint32_t port) const
{
    const DraftIndex own = inputPoint(node, port);
    if (own != kNoIndex)
        return own;
    const auto inputs = m_ports.inputs(node);
    if (port >= inputs.size() || !inputs[port].valid())
        return kNoIndex;
    const NodeId producer = m_ports.producer(inputs[port]);
    if (crossesBorder(m_model, node, inputs[port]))
        return kNoIndex;
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
    order.reserve(m_points.size());
    const auto add = [&order](DraftIndex index) {
        if (index != kNoIndex)
            order.push_back(index);
    };
    for (const auto& [input, index] : m_modelInput)
        add(index);
    for (std::size_t n = 0; n < m_output.size(); ++n) {
        const std::uint32_t first = m_ports.first(NodeId(n));
        const std::uint32_t end = first + m_ports.count(NodeId(n));
        for (std::uint32_t port = first; port < end; ++port)
            add(m_input[port]);
        for (std::uint32_t port = first; port < end; ++port)
            add(m_weight[port]);
        add(m_output[n]);
    }
    return order;
}

QuantizerSetup DraftSetup::finish()
{
    for (DraftIndex i = 0; i < m_points.size(); ++i) {
        sortUniqueInPlace(m_points[i].sinks);
        if (!m_points[i].isGone && m_points[i].sinks.empty() && !m_points[i].isNeeded)
            remove(i);
    }
    const auto order = inNodeOrder();
    QuantizerSetup setup;
    addUnifiedGroupsInPlace(setup, order);
    setup.points.reserve(order.size());
    for (std::size_t id = 0; id < order.size(); ++id) {
        DraftPoint& point = m_points[order[id]];
        setup.points.emplace(static_cast<PointId>(id),
            QuantizationPoint{
                point.node, point.input, point.port, point.isWeight, point.config, std::move(point.sinks)});
    }
    addSharedGroupsInPlace(setup, m_model.nodes.size());
    return setup;
}

void DraftSetup::addUnifiedGroupsInPlace(QuantizerSetup& setup, const std::vector<DraftIndex>& order)
{
    std::vector<std::uint32_t> sizes(m_points.size(), 0); // [roots]
    for (const DraftIndex i : order)
        sizes[unifiedRoot(i)] += m_points[i].config.perChannel ? 0U : 1U;
    std::vector<std::uint32_t> groupOf(m_points.size(), kNoIndex); // [roots]
    for (std::size_t id = 0; id < order.size(); ++id) {
        const DraftIndex root = unifiedRoot(order[id]);
        if (m_points[order[id]].config.perChannel || sizes[root] < 2)
            continue;
        addMemberInPlace(setup.unifiedScaleGroups, groupOf[root], static_cast<PointId>(id));
    }
}

} // namespace duo
