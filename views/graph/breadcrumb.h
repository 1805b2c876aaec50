// SPDX-License-Identifier: Apache-2.0
// Breadcrumb: the open boxes around what is in sight, outermost first; a click shows one of them whole.
#pragma once

#include "views/graph/picture.h"

#include <QLabel>

namespace duo::ui {

/// Open boxes, and closed ones that show what is inside them, around the middle of what is in sight, as far as they
/// fill at least half of it; outermost first. O(boxes).
std::vector<int> boxesAround(const Picture& picture, const QRectF& seen);

class Breadcrumb : public QLabel
{
    Q_OBJECT

public:
    explicit Breadcrumb(QWidget* parent = nullptr);

    /// Hidden for no boxes. @param room px of width: what does not fit is left out, the outermost boxes first
    void setBoxes(const Picture& picture, const std::vector<int>& boxes, int room);

Q_SIGNALS:
    void wanted(int box); // of the picture set; Picture::kNoBox: the whole model

protected:
    void changeEvent(QEvent* event) override;
};

} // namespace duo::ui
