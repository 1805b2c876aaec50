// SPDX-License-Identifier: Apache-2.0
#include "views/style/line_distance.h"

#include <algorithm>

namespace duo::ui {

double distanceOf(const QPointF& point, const QLineF& line)
{
    const QPointF along = line.p2() - line.p1();
    const double square = QPointF::dotProduct(along, along);
    const double at = square == 0 ? 0 : std::clamp(QPointF::dotProduct(point - line.p1(), along) / square, 0.0, 1.0);
    return QLineF(point, line.p1() + at * along).length();
}

} // namespace duo::ui
