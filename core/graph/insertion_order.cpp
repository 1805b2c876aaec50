// SPDX-License-Identifier: Apache-2.0
#include "core/graph/insertion_order.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <set>

namespace duo {
namespace {

/// Nodes of the main graph and inputs of the model, numbered as NNCF numbers them.
class Vertices
{
public:
    explicit Vertices(const Model& model)
        : m_model(model)
        , m_ofNode(model.nodes.size(), kNone)
        , m_ofInput(model.values.size(), kNone)
    {
        for (const NodeId id : model.order)
            m_ofNode[id.index] = m_count++;
        for (const ValueId input : model.mainGraph().inputs) {
            if (input.valid())
                m_ofInput[input.index] = m_count++;
        }
    }

    /// [vertices] place in the order
    [[nodiscard]] std::vector<std::uint32_t> sorted() const
    {
        std::vector<std::vector<std::uint32_t>> next(m_count);
        std::vector<std::uint32_t> missing(m_count, 0);
        for (std::size_t v = 0; v < m_model.values.size(); ++v) {
            const std::uint32_t from = sourceOf(ValueId(v));
            for (const Use& use : m_model.values[v].uses) {
                const std::uint32_t to = m_ofNode[use.node.index];
                if (from == kNone || to == kNone)
                    continue;
                next[from].push_back(to);
                ++missing[to];
            }
        }
        std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
        for (std::uint32_t vertex = 0; vertex < m_count; ++vertex) {
            if (missing[vertex] == 0)
                ready.push(vertex);
        }
        std::vector<std::uint32_t> place(m_count, 0);
        for (std::uint32_t i = 0; !ready.empty(); ++i) {
            const std::uint32_t vertex = ready.top();
            ready.pop();
            place[vertex] = i;
            for (const std::uint32_t to : next[vertex]) {
                if (--missing[to] == 0)
                    ready.push(to);
            }
        }
        return place;
    }

    [[nodiscard]] std::uint32_t of(const QuantizationPoint& point) const
    {
        const std::uint32_t vertex = point.input.valid() ? m_ofInput[point.input.index] : m_ofNode[point.node.index];
        return vertex == kNone ? 0 : vertex;
    }

private:
    [[nodiscard]] std::uint32_t sourceOf(ValueId value) const
    {
        const NodeId producer = m_model.value(value).producer;
        return producer.valid() ? m_ofNode[producer.index] : m_ofInput[value.index];
    }

    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    const Model& m_model;
    std::uint32_t m_count = 0;
    std::vector<std::uint32_t> m_ofNode; // [nodes]
    std::vector<std::uint32_t> m_ofInput; // [values]
};

} // namespace

std::vector<PointId> insertionOrder(const Model& model, const QuantizerSetup& setup)
{
    std::vector<PointId> order;
    std::set<PointId> unified;
    for (const auto& [group, members] : setup.unifiedScaleGroups) {
        for (const PointId id : members) {
            const auto point = setup.points.find(id);
            if (point != setup.points.end() && !point->second.isWeight && unified.insert(id).second)
                order.push_back(id);
        }
    }
    const auto grouped = static_cast<std::ptrdiff_t>(order.size());
    for (const auto& [id, point] : setup.points) {
        if (!unified.contains(id))
            order.push_back(id);
    }
    const Vertices vertices(model);
    const auto place = vertices.sorted();
    const auto placeOf = [&](PointId id) { return place.empty() ? 0 : place[vertices.of(setup.points.at(id))]; };
    std::stable_sort(
        order.begin() + grouped, order.end(), [&](PointId a, PointId b) { return placeOf(a) < placeOf(b); });
    return order;
}

} // namespace duo
