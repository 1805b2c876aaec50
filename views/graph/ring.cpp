// SPDX-License-Identifier: Apache-2.0
#include "views/graph/ring.h"

#include <algorithm>

namespace duo::ui {

QRectF ringAround(const QRectF& box, double away, double zoom)
{
    const double distance = away / std::max(zoom, 1.0);
    return box.adjusted(-distance, -distance, distance, distance);
}

QPen ringPen(const QColor& color, double width, Qt::PenStyle style)
{
    QPen pen(color, width, style);
    pen.setCosmetic(true);
    return pen;
}

} // namespace duo::ui
