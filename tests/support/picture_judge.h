// SPDX-License-Identifier: Apache-2.0
// What is wrong with a laid out view: boxes over boxes, lines through boxes and titles, lines that cross.
#pragma once

#include "core/graph/layout_composer.h"
#include "core/graph/view_graph.h"

#include <cstddef>
#include <vector>

namespace duo::test {

/// Whether a straight line leads through the inside of a rectangle.
bool leadsThrough(Point from, Point to, Point topLeft, Size size);

/// Places where lines cross; where they only touch or run along each other they do not. Lines from one source run along
/// each other as far as they can: what crosses all of them crosses one line. O(pieces of lines squared).
std::size_t drawnCrossings(const std::vector<std::vector<Point>>& lines);

class PictureJudge
{
public:
    /// @param sizes with which it was laid out
    PictureJudge(const ViewGraph& view, const PictureLayout& picture, const BoxSizes& sizes)
        : m_view(view)
        , m_picture(picture)
        , m_sizes(sizes)
    {
    }

    /// Pairs of a line and a box that it neither starts, ends, nor is in.
    [[nodiscard]] std::size_t linesThroughBoxes() const;
    [[nodiscard]] std::size_t linesThroughTitles() const; // of open boxes
    /// Pieces of lines of the main path that lead neither straight down or up nor straight aside.
    [[nodiscard]] std::size_t slantsOfMainPath() const;
    /// Places where a line slants to one side and a few px further leads to the other, beyond where it came from.
    [[nodiscard]] std::size_t hooks() const;
    [[nodiscard]] std::size_t overlaps() const; // pairs of boxes in the same one

private:
    [[nodiscard]] bool isAround(std::uint32_t box, std::size_t edge) const;
    [[nodiscard]] bool isHit(std::size_t edge, Point topLeft, Size size) const;
    [[nodiscard]] bool areOver(std::size_t a, std::size_t b) const;

    const ViewGraph& m_view;
    const PictureLayout& m_picture;
    const BoxSizes& m_sizes;
};

} // namespace duo::test
