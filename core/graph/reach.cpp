// SPDX-License-Identifier: Apache-2.0
#include "core/graph/reach.h"

#include <algorithm>
#include <cstdint>

namespace duo {
namespace {

/// Who feeds whom, in both directions. Vertices are the nodes, then a stand-in for what each region is given.
class Feeds
{
public:
    explicit Feeds(const Model& model)
        : m_readers(model.nodes.size() + model.regions.size())
        , m_makers(m_readers.size())
    {
        for (const Value& value : model.values) {
            if (!value.producer.valid())
                continue;
            for (const Use& use : value.uses)
                add(value.producer.index, use.node.index);
        }
        for (std::size_t r = 0; r < model.regions.size(); ++r) {
            if (model.regions[r].owner.valid())
                addRegion(model, model.regions[r], static_cast<std::uint32_t>(model.nodes.size() + r));
        }
    }

    /// Marks what is reached from `nodes`, these included, forwards or backwards.
    [[nodiscard]] std::vector<bool> reached(std::span<const NodeId> nodes, bool isForward) const
    {
        const auto& next = isForward ? m_readers : m_makers;
        std::vector<bool> isReached(next.size(), false);
        std::vector<std::uint32_t> pending;
        for (const NodeId node : nodes)
            pending.push_back(node.index);
        while (!pending.empty()) {
            const std::uint32_t node = pending.back();
            pending.pop_back();
            if (isReached[node])
                continue;
            isReached[node] = true;
            pending.insert(pending.end(), next[node].begin(), next[node].end());
        }
        return isReached;
    }

private:
    void add(std::uint32_t maker, std::uint32_t reader)
    {
        m_readers[maker].push_back(reader);
        m_makers[reader].push_back(maker);
    }

    /// What the owner is given feeds who reads it in the body; who makes the body's results feeds the owner.
    void addRegion(const Model& model, const Region& region, std::uint32_t standIn)
    {
        const auto makerOf = [&](ValueId value) { return value.valid() ? model.value(value).producer : NodeId(); };
        for (const ValueId given : model.node(region.owner).inputs) {
            if (const NodeId maker = makerOf(given); maker.valid())
                add(maker.index, standIn);
        }
        for (const ValueId input : region.inputs) {
            if (!input.valid() || makerOf(input).valid())
                continue;
            for (const Use& use : model.value(input).uses)
                add(standIn, use.node.index);
        }
        for (const ValueId output : region.outputs) {
            if (const NodeId maker = makerOf(output); maker.valid() && maker != region.owner)
                add(maker.index, region.owner.index);
        }
    }

    std::vector<std::vector<std::uint32_t>> m_readers; // [nodes]
    std::vector<std::vector<std::uint32_t>> m_makers; // [nodes]
};

std::vector<NodeId> marked(const Model& model, const std::vector<bool>& marks)
{
    std::vector<NodeId> nodes;
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        if (marks[n])
            nodes.emplace_back(n);
    }
    return nodes;
}

} // namespace

std::vector<NodeId> upstreamOf(const Model& model, std::span<const NodeId> nodes)
{
    return marked(model, Feeds(model).reached(nodes, false));
}

std::vector<NodeId> downstreamOf(const Model& model, std::span<const NodeId> nodes)
{
    return marked(model, Feeds(model).reached(nodes, true));
}

std::vector<NodeId> between(const Model& model, std::span<const NodeId> nodes)
{
    const Feeds feeds(model);
    std::vector<bool> marks = feeds.reached(nodes, true);
    const std::vector<bool> before = feeds.reached(nodes, false);
    for (std::size_t n = 0; n < marks.size(); ++n)
        marks[n] = marks[n] && before[n];
    return marked(model, marks);
}

} // namespace duo
