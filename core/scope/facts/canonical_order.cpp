// SPDX-License-Identifier: Apache-2.0
#include "core/scope/facts/canonical_order.h"

#include <algorithm>
#include <tuple>

namespace duo {
namespace {

class Sorter
{
public:
    explicit Sorter(const Model& model)
        : m_model(model)
        , m_regionsOf(model.nodes.size())
        , m_depth(model.regions.size(), 0)
        , m_reads(model.nodes.size())
        , m_level(model.nodes.size(), 0)
        , m_isRead(model.nodes.size(), false)
        , m_isPlaced(model.nodes.size(), false)
        , m_sorted(model.regions.size())
        , m_inRegion(model.regions.size())
    {
        for (std::size_t r = 1; r < model.regions.size(); ++r) {
            const NodeId owner = model.regions[r].owner;
            m_depth[r] = m_depth[model.node(owner).region.index] + 1;
            m_regionsOf[owner.index].push_back(RegionId(r));
        }
        for (auto& regions : m_regionsOf) {
            std::stable_sort(regions.begin(), regions.end(), // "then_branch" before "else_branch"
                [&](RegionId a, RegionId b) { return model.region(a).attribute > model.region(b).attribute; });
        }
        for (const NodeId id : model.order)
            m_inRegion[model.node(id).region.index].push_back(id);
    }

    NodeOrder sort()
    {
        for (std::size_t r = m_model.regions.size(); r-- > 0;) // nested regions have greater numbers
            sortRegion(RegionId(r));
        NodeOrder order;
        order.sequence.reserve(m_model.nodes.size());
        order.position.resize(m_model.nodes.size());
        std::vector<NodeId> open(m_sorted[0].rbegin(), m_sorted[0].rend());
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            order.position[id.index] = static_cast<std::uint32_t>(order.sequence.size());
            order.sequence.push_back(id);
            const auto& regions = m_regionsOf[id.index];
            for (auto r = regions.rbegin(); r != regions.rend(); ++r)
                open.insert(open.end(), m_sorted[r->index].rbegin(), m_sorted[r->index].rend());
        }
        return order;
    }

private:
    /// A node whose producers are being placed; they are a piece of m_children.
    struct Open {
        NodeId node;
        std::size_t first = 0;
        std::size_t next = 0;
    };

    void sortRegion(RegionId region)
    {
        for (const NodeId id : m_inRegion[region.index]) {
            gatherReads(id);
            if (isConstantNode(m_model.node(id)))
                continue;
            for (const ValueId value : readsOf(id)) {
                if (const NodeId producer = producerIn(region, value); producer.valid() && producer != id) {
                    m_level[id.index] = std::max(m_level[id.index], m_level[producer.index] + 1);
                    m_isRead[producer.index] = true;
                }
            }
            m_level[id.index] = std::max(m_level[id.index], 1);
        }
        for (const NodeId end : endsOf(region))
            place(region, end);
    }

    /// What a node and all in its regions read from outside. Nodes without regions read their inputs.
    void gatherReads(NodeId id)
    {
        if (m_regionsOf[id.index].empty())
            return;
        std::vector<ValueId>& reads = m_reads[id.index];
        reads = m_model.node(id).inputs;
        for (const RegionId region : m_regionsOf[id.index]) {
            for (const NodeId inner : m_sorted[region.index]) {
                for (const ValueId value : readsOf(inner)) {
                    if (value.valid() && !producerIn(region, value).valid())
                        reads.push_back(value);
                }
                std::vector<ValueId>().swap(m_reads[inner.index]);
            }
            for (const ValueId value : m_model.region(region).outputs) { // passed straight through
                if (value.valid() && !producerIn(region, value).valid())
                    reads.push_back(value);
            }
        }
    }

    [[nodiscard]] const std::vector<ValueId>& readsOf(NodeId id) const
    {
        return m_regionsOf[id.index].empty() ? m_model.node(id).inputs : m_reads[id.index];
    }

    /// The node of this region that gives the value, itself or from inside one of its own regions; invalid if none
    /// does.
    [[nodiscard]] NodeId producerIn(RegionId region, ValueId value) const
    {
        NodeId id = value.valid() ? m_model.value(value).producer : NodeId{};
        while (id.valid() && m_model.node(id).region != region) {
            const RegionId inner = m_model.node(id).region;
            id = m_depth[inner.index] > m_depth[region.index] ? m_model.region(inner).owner : NodeId{};
        }
        return id;
    }

    /// Nodes to start from: those that give the region's outputs, then those whose results nothing reads.
    std::vector<NodeId> endsOf(RegionId region) const
    {
        std::vector<NodeId> ends;
        for (const ValueId output : m_model.region(region).outputs) {
            if (const NodeId producer = producerIn(region, output); producer.valid())
                ends.push_back(producer);
        }
        std::stable_sort(
            ends.begin(), ends.end(), [&](NodeId a, NodeId b) { return m_level[a.index] < m_level[b.index]; });
        const auto outputs = std::ssize(ends);
        for (const NodeId id : m_inRegion[region.index]) {
            if (!m_isRead[id.index])
                ends.push_back(id);
        }
        const auto key = [&](NodeId id) {
            const Node& node = m_model.node(id);
            return std::tuple(
                m_level[id.index], std::string_view(node.opType), std::string_view(node.localName), id.index);
        };
        std::sort(ends.begin() + outputs, ends.end(), [&](NodeId a, NodeId b) { return key(a) < key(b); });
        return ends;
    }

    void place(RegionId region, NodeId end)
    {
        std::vector<Open> open;
        const auto enter = [&](NodeId id) {
            if (m_isPlaced[id.index])
                return;
            m_isPlaced[id.index] = true;
            const std::size_t first = m_children.size();
            for (const ValueId value : readsOf(id)) {
                const NodeId producer = producerIn(region, value);
                if (producer.valid() && !m_isPlaced[producer.index])
                    m_children.push_back(producer);
            }
            std::stable_sort(m_children.begin() + static_cast<std::ptrdiff_t>(first), m_children.end(),
                [&](NodeId a, NodeId b) { return m_level[a.index] > m_level[b.index]; });
            open.push_back({id, first, first});
        };
        enter(end);
        while (!open.empty()) {
            if (open.back().next < m_children.size()) {
                enter(m_children[open.back().next++]);
                continue;
            }
            m_sorted[region.index].push_back(open.back().node);
            m_children.resize(open.back().first);
            open.pop_back();
        }
    }

    const Model& m_model;
    std::vector<std::vector<RegionId>> m_regionsOf; // [nodes] by name of the attribute
    std::vector<int> m_depth; // [regions]
    std::vector<std::vector<ValueId>> m_reads; // [nodes] of owners, until their region is sorted
    std::vector<int> m_level; // [nodes] the longest way from the region's inputs; 0 for constants
    std::vector<bool> m_isRead; // [nodes] in its region
    std::vector<bool> m_isPlaced; // [nodes]
    std::vector<std::vector<NodeId>> m_sorted; // [regions]
    std::vector<std::vector<NodeId>> m_inRegion; // [regions] topological
    std::vector<NodeId> m_children; // of all open nodes, each node's behind those of the node it is read by
};

} // namespace

NodeOrder canonicalOrder(const Model& model)
{
    return Sorter(model).sort();
}

} // namespace duo
