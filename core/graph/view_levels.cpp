// SPDX-License-Identifier: Apache-2.0
#include "core/graph/view_levels.h"

#include "core/graph/layout/ranks.h"

#include <array>
#include <map>
#include <unordered_map>
#include <utility>

namespace duo {
namespace {

class Cutter
{
public:
    explicit Cutter(const ViewGraph& view)
        : m_view(view)
        , m_local(view.boxes.size())
    {
        m_result.levelInside.assign(view.boxes.size(), 0);
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
        countClosed();
        return std::move(m_result);
    }

private:
    void placeBox(std::uint32_t index)
    {
        const ViewBox& box = m_view.boxes[index];
        const std::uint32_t level = box.parent < 0 ? 0 : m_result.levelInside[static_cast<std::size_t>(box.parent)];
        m_result.levelOf.push_back(level);
        m_local[index] = static_cast<std::uint32_t>(m_result.levels[level].members.size());
        m_result.levels[level].members.push_back(index);
        if (!box.open)
            return;
        m_result.levelInside[index] = static_cast<std::uint32_t>(m_result.levels.size());
        m_result.levels.emplace_back().box = static_cast<std::int32_t>(index);
        m_depth.push_back(m_depth[level] + 1);
    }

    void countClosed()
    {
        for (std::uint32_t b = 0; b < m_view.boxes.size(); ++b) {
            const bool counts = !m_view.boxes[b].open && m_view.boxes[b].kind != ViewBox::Kind::Stub;
            m_result.levels[levelOf(b)].closed += counts ? 1 : 0;
        }
        for (std::size_t l = m_result.levels.size(); l-- > 1;) {
            const auto box = static_cast<std::uint32_t>(m_result.levels[l].box);
            m_result.levels[levelOf(box)].closed += m_result.levels[l].closed;
        }
    }

    std::vector<EdgeStep> stepsOf(const ViewEdge& edge)
    {
        std::vector<EdgeStep> outwards;
        std::vector<EdgeStep> inwards;
        std::uint32_t from = edge.from;
        std::uint32_t to = edge.to;
        std::uint32_t leaves = ViewLevel::kNoPort;
        std::uint32_t enters = ViewLevel::kNoPort;
        while (levelOf(from) != levelOf(to)) {
            if (depthOf(from) >= depthOf(to)) {
                const std::uint32_t out = port(levelOf(from), edge.from, Pin::Bottom);
                outwards.push_back(addEdge(levelOf(from), {m_local[from], out, leaves}));
                leaves = out;
                from = outerBox(from);
            } else {
                const std::uint32_t in = port(levelOf(to), edge.from, Pin::Top);
                inwards.push_back(addEdge(levelOf(to), {in, m_local[to], ViewLevel::kNoPort, enters}));
                enters = in;
                to = outerBox(to);
            }
        }
        outwards.push_back(addEdge(levelOf(from), {m_local[from], m_local[to], leaves, enters}));
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

    /// One edge for all values that go the same way; what comes from one source has one port everywhere.
    EdgeStep addEdge(std::uint32_t level, const ViewLevel::Edge& edge)
    {
        auto& edges = m_result.levels[level].edges;
        const auto [entry, isNew] = m_edges[level].try_emplace(
            {edge.from, edge.to, edge.leaves, edge.enters}, static_cast<std::uint32_t>(edges.size()));
        if (isNew)
            edges.push_back(edge);
        return {level, entry->second};
    }

    const ViewGraph& m_view;
    std::vector<std::uint32_t> m_local; // [boxes] index in its level
    std::vector<std::uint32_t> m_depth; // [levels]
    std::vector<std::map<std::array<std::uint32_t, 4>, std::uint32_t>> m_edges; // [levels]
    std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> m_ports; // [levels]
    ViewLevels m_result;
};

/// Scopes may read from each other both ways. What then leads upwards enters an open box from below and leaves it at
/// the top: the ports inside change sides, outer levels first.
void turnPortsInPlace(const ViewGraph& view, ViewLevels& cut)
{
    for (std::size_t l = 0; l < cut.levels.size(); ++l) {
        const ViewLevel& level = cut.levels[l];
        const std::vector<std::uint32_t> rank = rowsOf(view, level);
        const auto turn = [&](std::uint32_t member, std::uint32_t port, Pin side) {
            if (port == ViewLevel::kNoPort)
                return;
            ViewLevel& inside = cut.levels[cut.levelInside[level.members[member]]];
            inside.ports[port - inside.members.size()] = side;
        };
        for (const ViewLevel::Edge& edge : level.edges) {
            if (rank[edge.from] <= rank[edge.to])
                continue;
            turn(edge.from, edge.leaves, Pin::Top);
            turn(edge.to, edge.enters, Pin::Bottom);
        }
    }
}

} // namespace

std::vector<Pin> pinsOf(const ViewGraph& view, const ViewLevel& level)
{
    std::vector<Pin> pins;
    for (const std::uint32_t member : level.members) {
        const ViewBox& box = view.boxes[member];
        const bool isSmall = box.kind == ViewBox::Kind::Node || box.kind == ViewBox::Kind::Stub
            || box.kind == ViewBox::Kind::Quantizer;
        pins.push_back(isSmall ? Pin::Beside : Pin::Free);
    }
    pins.insert(pins.end(), level.ports.begin(), level.ports.end());
    for (const ViewLevel::Edge& edge : level.edges) {
        if (pins[edge.to] == Pin::Beside)
            pins[edge.to] = Pin::Free;
    }
    for (const std::uint32_t member : level.lowered)
        pins[member] = Pin::Lowered;
    return pins;
}

std::vector<std::uint32_t> rowsOf(const ViewGraph& view, const ViewLevel& level)
{
    LayoutInput input;
    input.pins = pinsOf(view, level);
    input.boxes.resize(input.pins.size());
    for (const ViewLevel::Edge& edge : level.edges)
        input.edges.push_back({edge.from, edge.to, {}, {}});
    return findRanks(input);
}

ViewLevels cutIntoLevels(const ViewGraph& view)
{
    ViewLevels cut = Cutter(view).cut();
    turnPortsInPlace(view, cut);
    return cut;
}

void reorderPortsInPlace(ViewLevels& cut, std::uint32_t level, const std::vector<std::uint32_t>& order)
{
    ViewLevel& inside = cut.levels[level];
    const auto members = static_cast<std::uint32_t>(inside.members.size());
    std::vector<Pin> ports;
    std::vector<std::uint32_t> place(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        ports.push_back(inside.ports[order[i]]);
    }
    inside.ports = std::move(ports);
    const auto follow = [&](std::uint32_t& end) {
        if (end != ViewLevel::kNoPort && end >= members)
            end = members + place[end - members];
    };
    for (ViewLevel::Edge& edge : inside.edges) {
        follow(edge.from);
        follow(edge.to);
    }
    const auto box = static_cast<std::uint32_t>(inside.box);
    ViewLevel& around = cut.levels[cut.levelOf[box]];
    for (ViewLevel::Edge& edge : around.edges) {
        if (edge.from < around.members.size() && around.members[edge.from] == box)
            follow(edge.leaves);
        if (edge.to < around.members.size() && around.members[edge.to] == box)
            follow(edge.enters);
    }
}

} // namespace duo
