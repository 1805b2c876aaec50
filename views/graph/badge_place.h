// SPDX-License-Identifier: Apache-2.0
// badgePlace: where on its edge a quantizer's badge stands, so that it covers no title of a scope that the edge enters.
#pragma once

#include <QPolygonF>
#include <QRectF>

#include <vector>

namespace duo::ui {

/// The place along the line nearest to its middle where a badge of this size, centred there, leaves the titles free;
/// the middle where there is none. Everything in px of the scene.
QPointF badgePlace(const QPolygonF& line, const QSizeF& badge, const std::vector<QRectF>& titles);

} // namespace duo::ui
