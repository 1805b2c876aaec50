// SPDX-License-Identifier: Apache-2.0
// TakenPlaces: rectangles of the picture where something stands, found again by where they are.
#pragma once

#include <QLineF>
#include <QRectF>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace duo::ui {

class TakenPlaces
{
public:
    static constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

    /// @param whose nobody's: in the way of all
    void take(const QRectF& rect, std::size_t whose = kNobody);
    /// Its four sides, one px wide, inside it.
    void takeBorder(const QRectF& rect);
    /// What a line runs through, and `beside` px to both sides; one of more than 20,000 px takes nothing.
    void takeLine(const QLineF& line, double beside, std::size_t whose = kNobody);
    /// But for what is taken by `self`.
    [[nodiscard]] bool isFree(const QRectF& rect, std::size_t self = kNobody) const;

private:
    struct Taken {
        QRectF rect;
        std::size_t whose = kNobody;
    };
    std::unordered_map<std::int64_t, std::vector<Taken>> m_cells; // all that touch a cell of the picture
};

} // namespace duo::ui
