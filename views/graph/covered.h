// SPDX-License-Identifier: Apache-2.0
// coveredIn: how much of a picture would be hidden by what stands over it, to find the corner where that is least.
#pragma once

#include "views/graph/detail.h"

#include <QRectF>

namespace duo::ui {

/// px² of closed boxes and of titles of open ones. O(boxes).
/// @param area px of the picture
double boxesCoveredIn(const Picture& picture, const Detail& detail, const QRectF& area);

/// px² of lines, as if they were a few px wide. O(lines).
/// @param area px of the picture
double linesCoveredIn(const Picture& picture, const Detail& detail, const QRectF& area);

/// px² of the borders of open boxes, as if they were lines. O(boxes).
/// @param area px of the picture
double bordersCoveredIn(const Picture& picture, const Detail& detail, const QRectF& area);

/// Boxes and lines together.
/// @param area px of the picture
double coveredIn(const Picture& picture, const Detail& detail, const QRectF& area);

} // namespace duo::ui
