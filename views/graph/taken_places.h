// SPDX-License-Identifier: Apache-2.0
// TakenPlaces: rectangles of the picture where something stands, found again by where they are.
#pragma once

#include <QRectF>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace duo::ui {

class TakenPlaces
{
public:
    void take(const QRectF& rect);
    [[nodiscard]] bool isFree(const QRectF& rect) const;

private:
    std::unordered_map<std::int64_t, std::vector<QRectF>> m_cells; // all that touch a cell of the picture
};

} // namespace duo::ui
