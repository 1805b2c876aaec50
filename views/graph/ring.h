// SPDX-License-Identifier: Apache-2.0
// Ring: a line around a box that marks it, as wide on the screen at every zoom.
#pragma once

#include <QPen>
#include <QRectF>

namespace duo::ui {

/// Where it stands. @param away px of the screen from the box; fewer from afar, where boxes are nearer to each other
/// @param zoom screen px per px of the box
QRectF ringAround(const QRectF& box, double away, double zoom);

/// @param width px of the screen
QPen ringPen(const QColor& color, double width, Qt::PenStyle style = Qt::SolidLine);

} // namespace duo::ui
