// SPDX-License-Identifier: Apache-2.0
// FoundBoxes: where in a picture what a search has found is shown, and how that is marked.
#pragma once

#include "views/graph/detail.h"
#include "views/graph/picture.h"
#include "views/intent/found_marks.h"
#include "views/style/theme.h"

#include <QPainter>

#include <vector>

namespace duo::ui {

struct FoundBoxes {
    std::vector<int> boxes; // ascending; of what lies in a closed box: that box
    int current = Picture::kNoBox; // of the thing one stands at
};

/// Nothing for null marks, or where the picture is of other scopes. O(boxes + things).
FoundBoxes foundBoxes(const FoundMarks* marks, const Picture& picture);

/// Of boxes that are not drawn, as they lie in a closed one: that. O(boxes).
FoundBoxes shownIn(const FoundBoxes& found, const Detail& detail);

/// A ring around each box, a thicker one around the current one. @param exposed scene px; @param zoom screen px per
/// scene px
void paintFound(QPainter& painter, const FoundBoxes& found, const Picture& picture, const Theme& theme,
    const QRectF& exposed, double zoom);

} // namespace duo::ui
