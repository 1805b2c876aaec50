// SPDX-License-Identifier: Apache-2.0
// What a rubber band over a picture, or a click that adds, selects.
#pragma once

#include "views/graph/picture.h"

namespace duo::ui {

/// The nodes of all boxes that a rectangle (picture px) touches: of closed boxes, and of open ones it holds entirely.
/// Inputs, outputs and stubs stand for nothing. O(boxes + nodes).
Selection selectionIn(const Picture& picture, const QRectF& area);

/// Nodes of either.
Selection united(const Selection& a, const Selection& b);

/// `whole` without `part` if all of it is in there, else both.
Selection toggled(const Selection& whole, const Selection& part);

} // namespace duo::ui
