// SPDX-License-Identifier: Apache-2.0
#include "views/graph/taken_places.h"

#include <algorithm>
#include <cmath>

namespace duo::ui {
namespace {

constexpr double kCellWidth = 256; // px
constexpr double kCellHeight = 32;

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

void TakenPlaces::take(const QRectF& rect)
{
    eachCell(rect, [&](std::int64_t cell) {
        m_cells[cell].push_back(rect);
        return true;
    });
}

bool TakenPlaces::isFree(const QRectF& rect) const
{
    return eachCell(rect, [&](std::int64_t cell) {
        const auto found = m_cells.find(cell);
        return found == m_cells.end()
            || std::ranges::none_of(found->second, [&](const QRectF& other) { return other.intersects(rect); });
    });
}

} // namespace duo::ui
