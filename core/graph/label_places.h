// SPDX-License-Identifier: Apache-2.0
// LabelPlaces: where the texts of edges stand in a saved picture, on no line, box or other text where there is room,
// and never beside the sheet.
#pragma once

#include "core/graph/layout_composer.h"
#include "core/graph/view_graph.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace duo {

class LabelPlaces
{
public:
    /// @param margin px of the sheet around the picture
    /// O(boxes + their height and the length of all lines / 64 px), however deep boxes lie in one another.
    LabelPlaces(const ViewGraph& view, const PictureLayout& picture, double margin);

    /// The middle of a text beside the line of an edge, near the middle of one of its pieces, vertical ones first;
    /// later texts keep off it. Where all places are taken, beside the middle of the best piece, as near as the sheet
    /// allows.
    Point take(std::size_t edge, Size text);
    /// The same, where there is room; nothing: there is none.
    std::optional<Point> takeFree(std::size_t edge, Size text);
    /// No text stands there from now on.
    void keepFree(Point middle, Size size);
    /// The nearest middle of a text that lies whole on the sheet.
    [[nodiscard]] Point onSheet(Point middle, Size text) const;

private:
    struct Rect {
        double left = 0;
        double top = 0;
        double right = 0;
        double bottom = 0;
    };
    struct Cell {
        std::vector<std::pair<Point, Point>> pieces; // of lines
        std::vector<Rect> rects; // of boxes, titles and texts
    };

    void addArrow(Point before, Point tip);
    void add(Point from, Point to);
    void add(const Rect& rect);
    static Rect around(Point middle, Size size);
    [[nodiscard]] bool isFree(const Rect& rect) const;
    static std::uint64_t keyOf(std::int64_t column, std::int64_t row);
    static bool areMet(const Rect& rect, Point from, Point to);

    const PictureLayout& m_picture;
    double m_margin;
    std::unordered_map<std::uint64_t, Cell> m_cells;
};

} // namespace duo
