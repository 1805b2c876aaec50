// SPDX-License-Identifier: Apache-2.0
#include "views/graph/line_places.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace duo::ui {
namespace {

constexpr double kCell = 64; // px
constexpr double kPiece = 16; // px: the rectangle around a slanted piece is not much larger than it
constexpr double kBeside = 1; // px

/// Work for each cell that the rectangle touches, until it is true. @return whether it was
template <typename Work> bool anyCell(const QRectF& rect, const Work& work)
{
    const auto cellOf = [](double at) { return static_cast<std::int32_t>(std::floor(at / kCell)); };
    for (std::int32_t y = cellOf(rect.top()); y <= cellOf(rect.bottom()); ++y) {
        for (std::int32_t x = cellOf(rect.left()); x <= cellOf(rect.right()); ++x) {
            if (work((std::int64_t{y} << 32) + x))
                return true;
        }
    }
    return false;
}

/// Of a slanted line small pieces, of a straight one the whole.
std::vector<QRectF> rectsAlong(const QLineF& line)
{
    const bool isSlanted = line.dx() != 0 && line.dy() != 0;
    const int pieces = isSlanted ? std::max(1, static_cast<int>(line.length() / kPiece)) : 1;
    std::vector<QRectF> rects;
    for (int i = 0; i < pieces; ++i) {
        const QPointF start = line.pointAt(static_cast<double>(i) / pieces);
        const QPointF end = line.pointAt(static_cast<double>(i + 1) / pieces);
        rects.push_back(QRectF(start, end).normalized().adjusted(-kBeside, -kBeside, kBeside, kBeside));
    }
    return rects;
}

} // namespace

LinePlaces::LinePlaces(std::span<const ViewEdge> edges, std::span<const QPolygonF> lines)
{
    std::map<std::pair<std::uint32_t, ValueId>, std::size_t> flows;
    for (std::size_t edge = 0; edge < lines.size(); ++edge) {
        const std::size_t flow = flows.emplace(std::pair(edges[edge].from, edges[edge].value), edge).first->second;
        m_flows.push_back(flow);
        for (qsizetype point = 1; point < lines[edge].size(); ++point) {
            for (const QRectF& rect : rectsAlong({lines[edge][point - 1], lines[edge][point]}))
                anyCell(rect, [&](std::int64_t cell) {
                    m_cells[cell].push_back({rect, flow});
                    return false;
                });
        }
    }
}

bool LinePlaces::meetOther(const QRectF& rect, std::size_t edge) const
{
    return anyCell(rect, [&](std::int64_t cell) {
        const auto found = m_cells.find(cell);
        return found != m_cells.end() && std::ranges::any_of(found->second, [&](const Piece& piece) {
            return piece.flow != m_flows[edge] && piece.rect.intersects(rect);
        });
    });
}

} // namespace duo::ui
