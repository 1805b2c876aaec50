// SPDX-License-Identifier: Apache-2.0
// LayeredGraph: boxes in rows, long edges as chains of bends, and the spine that a picture is built along.
#pragma once

#include "core/graph/layout/layout.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace duo {

/// A neighbour in the next row, and how far right of its axis this vertex would have its own for a straight line.
struct Link {
    std::uint32_t end = 0;
    double offset = 0; // px
    double leaves = kAnywhere; // px right of the middle of this vertex, where the line has to meet it
    double meets = kAnywhere; // likewise of the neighbour

    static constexpr double kAnywhere = std::numeric_limits<double>::quiet_NaN();
};

/// Neighbours of every vertex in one direction.
struct Adjacency {
    std::vector<std::uint32_t> begin; // [vertices + 1]
    std::vector<Link> links;

    [[nodiscard]] std::span<const Link> of(std::size_t vertex) const
    {
        return std::span(links).subspan(begin[vertex], begin[vertex + 1] - begin[vertex]);
    }
};

/// Vertices [0, boxes) are boxes, the others bends. A vertex has an axis, where lines meet it, and reaches to both
/// sides of it. Boxes beside their reader are part of the reader's reach and stand in no row.
struct LayeredGraph {
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    std::size_t boxes = 0;
    std::vector<std::uint32_t> rank; // [vertices]
    std::vector<double> left; // [vertices] px from the axis to the left end
    std::vector<double> right;
    std::vector<double> axis; // [boxes] px from the middle of the box to its axis
    std::vector<double> height; // [boxes] with what stands beside
    std::vector<std::vector<std::uint32_t>> rows; // [ranks] vertices from left to right
    std::vector<bool> isFixed; // [ranks] rows that stay as they are
    Adjacency above; // neighbours one row up
    Adjacency below; // neighbours one row down
    std::vector<std::uint32_t> firstBend; // [edges] first of the consecutive bends of an edge, from its upper end
    std::vector<std::uint32_t> bends; // [edges] how many; 0 for short edges and for those drawn as one straight line
    std::vector<std::uint32_t> leftFirst; // as that of the input
    std::vector<std::uint32_t> spine; // [ranks] the vertex of the spine in the row, or kNone

    [[nodiscard]] bool isBend(std::uint32_t vertex) const { return vertex >= boxes; }
    [[nodiscard]] double gap(std::uint32_t left, std::uint32_t right) const; // px to keep between neighbours of a row
};

/// Rows in order of vertices. Edges that cross more than 24 rows while all bends together would be more than 20,000,
/// or that end at a box with more than 512 edges and cross a row, get no bends. The spine is the one of
/// the input, or the longest path in px.
/// @param beside [boxes] the reader, or kNone
/// O(boxes + edges + bends).
LayeredGraph makeLayered(
    const LayoutInput& input, const std::vector<std::uint32_t>& beside, std::vector<std::uint32_t> rank);

/// What is in one column, without links to others, whose lines lead around it. O(vertices + links).
/// @param ofRank [ranks] column of each row
LayeredGraph withoutLinksBetween(LayeredGraph graph, const std::vector<std::uint32_t>& ofRank);

/// Room that boxes beside their reader take to the left of it.
inline constexpr double kBesideGap = 26; // px between them and the reader; a badge fits in
inline constexpr double kBesideSpacing = 6; // px between each other
inline constexpr double kRowGap = 30; // px between rows, at least
inline constexpr double kColumnGap = 24; // px between boxes of a row
inline constexpr double kLoopReach = 14; // px a self loop stands out to the right

} // namespace duo
