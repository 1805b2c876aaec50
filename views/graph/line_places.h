// SPDX-License-Identifier: Apache-2.0
// LinePlaces: where the lines of a picture run, to tell what else a badge on one of them would lie over.
#pragma once

#include "core/graph/view_graph.h"

#include <QPolygonF>
#include <QRectF>

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace duo::ui {

class LinePlaces
{
public:
    LinePlaces() = default; // of no line
    /// @param lines [edges] px of the scene. O(their length)
    LinePlaces(std::span<const ViewEdge> edges, std::span<const QPolygonF> lines);

    /// A line other than this edge's, and those that lead the same value from the same box, runs through the rectangle
    /// or within a pixel of it.
    [[nodiscard]] bool meetOther(const QRectF& rect, std::size_t edge) const;

private:
    struct Piece {
        QRectF rect;
        std::size_t flow; // of its edge
    };
    std::vector<std::size_t> m_flows; // [edges] the first that leads the same value from the same box
    std::unordered_map<std::int64_t, std::vector<Piece>> m_cells;
};

} // namespace duo::ui
