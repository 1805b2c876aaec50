// SPDX-License-Identifier: Apache-2.0
#include "core/model/topological_order.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

namespace duo {
namespace {

struct Dependencies {
    std::vector<std::vector<NodeId>> readers; // [nodes] nodes of the same region that wait for it
    std::vector<std::uint32_t> waitingFor; // [nodes]
};

class Lifter
{
public:
    explicit Lifter(const Model& model)
        : m_model(model)
        , m_depth(model.regions.size(), 0)
    {
        for (std::size_t r = 1; r < model.regions.size(); ++r) {
            const NodeId owner = model.regions[r].owner;
            m_depth[r] = m_depth[model.node(owner).region.index] + 1;
        }
    }

    /// The two nodes' ancestors that stand in their deepest common region.
    [[nodiscard]] std::pair<NodeId, NodeId> toCommonRegion(NodeId a, NodeId b) const
    {
        while (m_model.node(a).region != m_model.node(b).region) {
            if (depthOf(a) >= depthOf(b))
                a = ownerOf(a);
            else
                b = ownerOf(b);
        }
        return {a, b};
    }

private:
    [[nodiscard]] int depthOf(NodeId id) const { return m_depth[m_model.node(id).region.index]; }
    [[nodiscard]] NodeId ownerOf(NodeId id) const { return m_model.region(m_model.node(id).region).owner; }

    const Model& m_model;
    std::vector<int> m_depth; // [regions]
};

Dependencies dependenciesOf(const Model& model)
{
    const Lifter lifter(model);
    Dependencies result{
        std::vector<std::vector<NodeId>>(model.nodes.size()), std::vector<std::uint32_t>(model.nodes.size(), 0)};
    for (const Value& value : model.values) {
        if (!value.producer.valid())
            continue;
        for (const Use& use : value.uses) {
            const auto [producer, reader] = lifter.toCommonRegion(value.producer, use.node);
            const bool isInBodies = producer == reader && value.producer != use.node;
            if (isInBodies && value.producer != producer)
                continue; // inside one call or body: ordered by its own region; else a body reads its owner's result
            result.readers[producer.index].push_back(reader);
            ++result.waitingFor[reader.index];
        }
    }
    return result;
}

/// Follows unmet dependencies backwards until a node repeats: that node is on a cycle.
NodeId nodeOnCycle(const Region& region, const Dependencies& dependencies, std::size_t nodeCount)
{
    std::vector<NodeId> waitsFor(nodeCount);
    NodeId start;
    for (const NodeId id : region.nodes) {
        if (dependencies.waitingFor[id.index] == 0)
            continue;
        start = id;
        for (const NodeId reader : dependencies.readers[id.index]) {
            if (dependencies.waitingFor[reader.index] > 0)
                waitsFor[reader.index] = id;
        }
    }
    std::vector<bool> seen(nodeCount, false);
    while (start.valid() && !seen[start.index]) {
        seen[start.index] = true;
        start = waitsFor[start.index];
    }
    return start;
}

/// Sorted direct nodes of one region; fewer than it has if there is a cycle.
std::vector<NodeId> sortRegion(const Region& region, Dependencies& dependencies)
{
    std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
    for (const NodeId id : region.nodes) {
        if (dependencies.waitingFor[id.index] == 0)
            ready.push(id);
    }
    std::vector<NodeId> sorted;
    while (!ready.empty()) {
        const NodeId id = ready.top();
        ready.pop();
        sorted.push_back(id);
        for (const NodeId reader : dependencies.readers[id.index]) {
            if (--dependencies.waitingFor[reader.index] == 0)
                ready.push(reader);
        }
    }
    return sorted;
}

void appendNested(const std::vector<std::vector<NodeId>>& sorted,
    const std::vector<std::vector<std::uint32_t>>& regionsOf, std::vector<NodeId>& order)
{
    std::vector<NodeId> stack(sorted.front().rbegin(), sorted.front().rend());
    while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        order.push_back(id);
        const auto& owned = regionsOf[id.index];
        for (auto region = owned.rbegin(); region != owned.rend(); ++region)
            stack.insert(stack.end(), sorted[*region].rbegin(), sorted[*region].rend());
    }
}

} // namespace

Result<std::vector<NodeId>> topologicalOrder(const Model& model)
{
    Dependencies dependencies = dependenciesOf(model);
    std::vector<std::vector<NodeId>> sorted(model.regions.size());
    std::vector<std::vector<std::uint32_t>> regionsOf(model.nodes.size());
    for (std::size_t r = 0; r < model.regions.size(); ++r) {
        const Region& region = model.regions[r];
        if (region.owner.valid())
            regionsOf[region.owner.index].push_back(static_cast<std::uint32_t>(r));
        sorted[r] = sortRegion(region, dependencies);
        if (sorted[r].size() == region.nodes.size())
            continue;
        const NodeId culprit = nodeOnCycle(region, dependencies, model.nodes.size());
        return Error{ErrorCode::MalformedModel, "the graph has a cycle",
            culprit.valid() ? "node '" + model.node(culprit).name + "'" : model.path.string(),
            "export the model again; a node must not read its own result"};
    }
    std::vector<NodeId> order;
    order.reserve(model.nodes.size());
    appendNested(sorted, regionsOf, order);
    return order;
}

std::vector<std::uint32_t> nodeDepths(const Model& model)
{
    std::vector<std::uint32_t> depths(model.nodes.size());
    for (const NodeId id : model.order) {
        for (const ValueId input : model.node(id).inputs) {
            if (!input.valid() || !model.value(input).producer.valid())
                continue;
            const NodeId before = model.value(input).producer;
            depths[id.index] = std::max(depths[id.index], depths[before.index] + 1);
        }
    }
    return depths;
}

std::vector<NodeId> inStableOrder(const Model& model, std::vector<NodeId> nodes)
{
    if (nodes.size() < 2)
        return nodes;
    const auto depth = nodeDepths(model);
    std::ranges::sort(nodes, {}, [&](NodeId id) { return std::tie(depth[id.index], model.node(id).name); });
    return nodes;
}

} // namespace duo
