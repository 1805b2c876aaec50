// SPDX-License-Identifier: Apache-2.0
// Detail: which boxes of a picture are drawn at a zoom. What would be too small to read is drawn closed, as one box.
#pragma once

#include "views/graph/picture.h"

#include <span>
#include <vector>

namespace duo::ui {

inline constexpr double kLeastText = 8; // px on the screen: no text is drawn smaller

class Detail
{
public:
    enum class Look : std::uint8_t {
        Hidden, // inside a box that is drawn closed
        Closed, // with its label
        Frame, // with what is inside
    };

    Detail() = default;
    /// @param widths [boxes] px on the screen without which a box cannot show its label; none: any will do
    /// O(boxes).
    Detail(const Picture& picture, double zoom, std::span<const double> widths = {});

    [[nodiscard]] Look look(int box) const { return m_look[static_cast<std::size_t>(box)]; }
    /// The box itself, or the closed one that hides it.
    [[nodiscard]] int shown(int box) const { return m_shown[static_cast<std::size_t>(box)]; }
    /// What shows these boxes, each once, in the order of the picture. O(boxes log boxes).
    [[nodiscard]] std::vector<int> shown(const std::vector<int>& boxes) const;
    [[nodiscard]] bool isOf(const Picture* picture, double zoom) const
    {
        return picture == m_picture && zoom == m_zoom;
    }

private:
    const Picture* m_picture = nullptr; // only compared
    double m_zoom = 0;
    std::vector<Look> m_look; // [boxes]
    std::vector<int> m_shown; // [boxes]
};

/// The part of a line that lies outside two rectangles, of which it leaves the first and enters the second (null: it
/// does not). Empty if nothing is left.
QPolygonF lineOutside(const QPolygonF& line, const QRectF& left, const QRectF& entered);

} // namespace duo::ui
