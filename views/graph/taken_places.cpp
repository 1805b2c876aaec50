// SPDX-License-Identifier: Apache-2.0
#include "views/graph/taken_places.h"

#include <algorithm>
#include <cmath>

namespace duo::ui {
namespace {

constexpr double kCellWidth = 256; // px
constexpr double kCellHeight = 32;
constexpr double kMostLine = 20000; // px
constexpr double kLinePiece = 8; // px of a slanted line: the rectangle around it is not much larger

/// @return false if the work was false for a cell
template <typename Work> bool eachCell(const QRectF& rect, const Work& work)
{
    const auto cellOf = [](double at, double size) { return static_cast<std::int32_t>(std::floor(at / size)); };
    for (std::int32_t y = cellOf(rect.top(), kCellHeight); y <= cellOf(rect.bottom(), kCellHeight); ++y) {
        for (std::int32_t x = cellOf(rect.left(), kCellWidth); x <= cellOf(rect.right(), kCellWidth); ++x) {
            if (!work((std::int64_t{y} << 32) + x))
                return false;
        }
    }
    return true;
}

} // namespace

void TakenPlaces::take(const QRectF& rect, std::size_t whose)
{
    eachCell(rect, [&](std::int64_t cell) {
        m_cells[cell].push_back({rect, whose});
        return true;
    });
}

void TakenPlaces::takeBorder(const QRectF& rect)
{
    take({rect.left(), rect.top(), 1, rect.height()});
    take({rect.right() - 1, rect.top(), 1, rect.height()});
    take({rect.left(), rect.top(), rect.width(), 1});
    take({rect.left(), rect.bottom() - 1, rect.width(), 1});
}

void TakenPlaces::takeLine(const QLineF& line, double beside, std::size_t whose)
{
    if (line.length() > kMostLine)
        return;
    const bool isStraight = line.dx() == 0 || line.dy() == 0;
    const int pieces = isStraight ? 1 : 1 + static_cast<int>(line.length() / kLinePiece);
    for (int i = 0; i < pieces; ++i) {
        const QRectF piece(line.pointAt(static_cast<double>(i) / pieces), line.pointAt((i + 1.0) / pieces));
        take(piece.normalized().adjusted(-beside, -beside, beside, beside), whose);
    }
}

bool TakenPlaces::isFree(const QRectF& rect, std::size_t self) const
{
    const auto isInTheWay = [&](const Taken& taken) {
        return (taken.whose == kNobody || taken.whose != self) && taken.rect.intersects(rect);
    };
    return eachCell(rect, [&](std::int64_t cell) {
        const auto found = m_cells.find(cell);
        return found == m_cells.end() || std::ranges::none_of(found->second, isInTheWay);
    });
}

} // namespace duo::ui
