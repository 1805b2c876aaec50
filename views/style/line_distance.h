// SPDX-License-Identifier: Apache-2.0
// How far a point is from what is drawn as lines.
#pragma once

#include <QLineF>
#include <QPointF>

namespace duo::ui {

/// From a point to the nearest one of a line between two points, which may be one.
double distanceOf(const QPointF& point, const QLineF& line);

} // namespace duo::ui
