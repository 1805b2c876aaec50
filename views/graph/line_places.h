// SPDX-License-Identifier: Apache-2.0
// LinePlaces: where the lines of a picture run, to tell what else a badge on one of them would lie over.
#pragma once

#include "views/graph/picture.h"
#include "views/graph/taken_places.h"

#include <QRectF>

#include <cstddef>
#include <vector>

namespace duo::ui {

class LinePlaces
{
public:
    /// O(length of its lines)
    explicit LinePlaces(const Picture& picture);

    /// The same for edges that lead the same value from the same box.
    [[nodiscard]] std::size_t flowOf(std::size_t edge) const { return m_flows[edge]; }
    /// A line of another flow runs through the rectangle or within a pixel of it.
    [[nodiscard]] bool meetOther(const QRectF& rect, std::size_t edge) const;

private:
    std::vector<std::size_t> m_flows; // [edges] the first that leads the same value from the same box
    TakenPlaces m_taken; // by flows
};

} // namespace duo::ui
