// SPDX-License-Identifier: Apache-2.0
#include "core/graph/picture_cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace duo {
namespace {

constexpr std::size_t kCells = 32; // of a pane, along each side
constexpr double kUnfilledCost = 1.5; // how much larger a picture may be that fills its pane well
constexpr double kEmptyCost = 0.25; // how much larger one may be that leaves no part of it empty
constexpr double kTurnedCost = 0.1; // how much larger one may be none of whose lines turns

/// Which cells of a pane a picture in its middle leaves empty.
class Cells
{
public:
    Cells(Size picture, double aspect)
    {
        const double height = std::max({picture.height, picture.width / aspect, 1.0});
        m_pane = {height * aspect, height};
        m_origin = {(m_pane.width - picture.width) / 2, (m_pane.height - picture.height) / 2};
    }

    void fillBox(const PictureLayout::Frame& frame)
    {
        const auto [left, top] = cellAt(frame.topLeft);
        const auto [right, bottom] = cellAt({frame.topLeft.x + frame.size.width, frame.topLeft.y + frame.size.height});
        for (std::size_t row = top; row <= bottom; ++row) {
            for (std::size_t x = left; x <= right; ++x)
                m_isFilled[row][x] = true;
        }
    }

    void fillLine(Point from, Point to)
    {
        for (std::size_t i = 0; i <= kCells; ++i) {
            const double along = static_cast<double>(i) / kCells;
            const auto [x, row] = cellAt({std::lerp(from.x, to.x, along), std::lerp(from.y, to.y, along)});
            m_isFilled[row][x] = true;
        }
    }

    /// Share of the pane that the largest rectangle without anything takes.
    [[nodiscard]] double largestEmpty() const
    {
        std::array<std::size_t, kCells> heights{}; // of what is empty above and in the row
        std::size_t largest = 0;
        for (const auto& row : m_isFilled) {
            for (std::size_t x = 0; x < kCells; ++x)
                heights[x] = row[x] ? 0 : heights[x] + 1;
            for (std::size_t left = 0; left < kCells; ++left) {
                std::size_t height = heights[left];
                for (std::size_t right = left; right < kCells && height > 0; ++right) {
                    height = std::min(height, heights[right]);
                    largest = std::max(largest, height * (right - left + 1));
                }
            }
        }
        return static_cast<double>(largest) / (kCells * kCells);
    }

private:
    [[nodiscard]] std::pair<std::size_t, std::size_t> cellAt(Point point) const
    {
        const auto cell
            = [](double share) { return static_cast<std::size_t>(std::clamp(share, 0.0, 1.0 - 1e-9) * kCells); };
        return {cell((m_origin.x + point.x) / m_pane.width), cell((m_origin.y + point.y) / m_pane.height)};
    }

    Size m_pane;
    Point m_origin; // of the picture
    std::array<std::array<bool, kCells>, kCells> m_isFilled{};
};

} // namespace

double filledShare(Size picture, double aspect)
{
    const double wide = picture.width / aspect;
    return std::min(wide, picture.height) / std::max({wide, picture.height, 1.0});
}

double largestEmptyShare(const ViewGraph& view, const PictureLayout& picture, double aspect)
{
    Cells cells(picture.size, aspect);
    for (std::size_t b = 0; b < view.boxes.size(); ++b) {
        if (!view.boxes[b].open)
            cells.fillBox(picture.frames[b]);
    }
    for (const std::vector<Point>& line : picture.lines) {
        for (std::size_t p = 1; p < line.size(); ++p)
            cells.fillLine(line[p - 1], line[p]);
    }
    return cells.largestEmpty();
}

double turnedShare(const PictureLayout& picture)
{
    const auto turns = [](const std::vector<Point>& line) {
        bool goesUp = false;
        bool goesDown = false;
        for (std::size_t p = 1; p < line.size(); ++p) {
            goesUp = goesUp || line[p].y < line[p - 1].y;
            goesDown = goesDown || line[p].y > line[p - 1].y;
        }
        return goesUp && goesDown;
    };
    const auto lines = static_cast<double>(picture.lines.size());
    return static_cast<double>(std::ranges::count_if(picture.lines, turns)) / std::max(lines, 1.0);
}

double pictureCost(const ViewGraph& view, const PictureLayout& picture, double aspect)
{
    const double filling = filledShare(picture.size, aspect) < kWellFilled ? kUnfilledCost : 1;
    return std::max(picture.size.width / aspect, picture.size.height) * filling
        * (1 + kEmptyCost * largestEmptyShare(view, picture, aspect)) * (1 + kTurnedCost * turnedShare(picture));
}

} // namespace duo
