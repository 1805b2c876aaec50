// SPDX-License-Identifier: Apache-2.0
// badgePlace: where on its edge a quantizer's badge stands, so that it covers no title of a scope and no other badge.
#pragma once

#include <QPolygonF>
#include <QRectF>

#include <functional>
#include <optional>

namespace duo::ui {

/// The free place along the line nearest to its middle for a badge of this size, centred on the line; nothing where
/// there is none. Everything in px of the scene.
std::optional<QRectF> badgePlace(
    const QPolygonF& line, const QSizeF& badge, const std::function<bool(const QRectF&)>& isFree);

} // namespace duo::ui
