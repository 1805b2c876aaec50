// SPDX-License-Identifier: Apache-2.0
#include "views/graph/line_places.h"

#include <map>
#include <utility>

namespace duo::ui {

LinePlaces::LinePlaces(const Picture& picture)
{
    constexpr double kBeside = 1; // px
    std::map<std::pair<std::uint32_t, ValueId>, std::size_t> flows;
    for (std::size_t e = 0; e < picture.graph.edges.size(); ++e) {
        const ViewEdge& edge = picture.graph.edges[e];
        const auto& line = picture.layout.lines[e];
        m_flows.push_back(flows.emplace(std::pair(edge.from, edge.value), e).first->second);
        for (std::size_t p = 1; p < line.size(); ++p)
            m_taken.takeLine({line[p - 1].x, line[p - 1].y, line[p].x, line[p].y}, kBeside, m_flows.back());
    }
}

bool LinePlaces::meetOther(const QRectF& rect, std::size_t edge) const
{
    return !m_taken.isFree(rect, m_flows[edge]);
}

} // namespace duo::ui
