// SPDX-License-Identifier: Apache-2.0
#include "core/graph/view_levels.h"

#include <algorithm>

namespace duo {
namespace {

class Cutter
{
public:
    explicit Cutter(const ViewGraph& view)
        : m_view(view)
        , m_local(view.boxes.size())
        , m_levelInside(view.boxes.size(), 0)
    {
        m_result.levels.emplace_back();
        m_depth.push_back(0);
    }

    ViewLevels cut()
    {
        for (std::uint32_t b = 0; b < m_view.boxes.size(); ++b)
            placeBox(b);
        m_edges.resize(m_result.levels.size());
        m_ports.resize(m_result.levels.size());
        for (const ViewEdge& edge : m_view.edges)
            m_result.steps.push_back(stepsOf(edge));
        return std::move(m_result);
    }

private:
    void placeBox(std::uint32_t index)
    {
        const ViewBox& box = m_view.boxes[index];
        const std::uint32_t level = box.parent < 0 ? 0 : m_levelInside[static_cast<std::size_t>(box.parent)];
        m_result.levelOf.push_back(level);
        m_local[index] = static_cast<std::uint32_t>(m_result.levels[level].members.size());
        m_result.levels[level].members.push_back(index);
        if (!box.open)
            return;
        m_levelInside[index] = static_cast<std::uint32_t>(m_result.levels.size());
        m_result.levels.emplace_back().box = static_cast<std::int32_t>(index);
        m_depth.push_back(m_depth[level] + 1);
    }

    std::vector<EdgeStep> stepsOf(const ViewEdge& edge)
    {
        std::vector<EdgeStep> outwards;
        std::vector<EdgeStep> inwards;
        std::uint32_t from = edge.from;
        std::uint32_t to = edge.to;
        while (levelOf(from) != levelOf(to)) {
            if (depthOf(from) >= depthOf(to)) {
                outwards.push_back(addEdge(levelOf(from), m_local[from], port(levelOf(from), edge.from, Pin::Bottom)));
                from = outerBox(from);
            } else {
                inwards.push_back(addEdge(levelOf(to), port(levelOf(to), edge.from, Pin::Top), m_local[to]));
                to = outerBox(to);
            }
        }
        outwards.push_back(addEdge(levelOf(from), m_local[from], m_local[to]));
        outwards.insert(outwards.end(), inwards.rbegin(), inwards.rend());
        return outwards;
    }

    [[nodiscard]] std::uint32_t levelOf(std::uint32_t box) const { return m_result.levelOf[box]; }
    [[nodiscard]] std::uint32_t depthOf(std::uint32_t box) const { return m_depth[levelOf(box)]; }
    [[nodiscard]] std::uint32_t outerBox(std::uint32_t box) const
    {
        return static_cast<std::uint32_t>(m_view.boxes[box].parent);
    }

    std::uint32_t port(std::uint32_t level, std::uint32_t source, Pin side)
    {
        const std::uint64_t key = (std::uint64_t{source} << 8U) | static_cast<std::uint8_t>(side);
        ViewLevel& inside = m_result.levels[level];
        const auto next = static_cast<std::uint32_t>(inside.members.size() + inside.ports.size());
        const auto [entry, isNew] = m_ports[level].try_emplace(key, next);
        if (isNew)
            inside.ports.push_back(side);
        return entry->second;
    }

    EdgeStep addEdge(std::uint32_t level, std::uint32_t from, std::uint32_t to)
    {
        auto& edges = m_result.levels[level].edges;
        const std::uint64_t key = (std::uint64_t{from} << 32U) | to;
        const auto [entry, isNew] = m_edges[level].try_emplace(key, static_cast<std::uint32_t>(edges.size()));
        if (isNew)
            edges.push_back({from, to});
        return {level, entry->second};
    }

    const ViewGraph& m_view;
    std::vector<std::uint32_t> m_local; // [boxes] index in its level
    std::vector<std::uint32_t> m_levelInside; // [boxes] of open boxes
    std::vector<std::uint32_t> m_depth; // [levels]
    std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> m_edges; // [levels]
    std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> m_ports; // [levels]
    ViewLevels m_result;
};

} // namespace

ViewLevels cutIntoLevels(const ViewGraph& view)
{
    return Cutter(view).cut();
}

} // namespace duo
