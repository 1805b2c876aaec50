// SPDX-License-Identifier: Apache-2.0
// LayeredGraph: boxes in rows, with bends where an edge crosses a row; what ordering and placing work on.
#pragma once

#include "core/graph/layout/layout.h"

#include <cstdint>
#include <span>
#include <vector>

namespace duo {

/// Neighbours of every vertex in one direction.
struct Adjacency {
    std::vector<std::uint32_t> begin; // [vertices + 1]
    std::vector<std::uint32_t> ends;

    [[nodiscard]] std::span<const std::uint32_t> of(std::size_t vertex) const
    {
        return std::span(ends).subspan(begin[vertex], begin[vertex + 1] - begin[vertex]);
    }
};

struct LayeredGraph {
    std::size_t boxes = 0; // vertices [0, boxes) are boxes, the others bends
    std::vector<std::uint32_t> rank; // [vertices]
    std::vector<double> width; // [vertices]
    std::vector<std::vector<std::uint32_t>> rows; // [ranks] vertices from left to right
    Adjacency above; // neighbours one row up
    Adjacency below; // neighbours one row down
    std::vector<std::uint32_t> firstBend; // [edges] first of the consecutive bends of an edge, from its upper end
    std::vector<std::uint32_t> bends; // [edges] how many; 0 for short edges and for those drawn as one straight line
};

/// Edges that cross more than `longest` rows, or end at a box with more than 64 edges, get no bends. Rows are in order
/// of vertices. O(boxes + edges + bends).
LayeredGraph makeLayered(const LayoutInput& input, std::vector<std::uint32_t> rank, std::size_t longest);

} // namespace duo
