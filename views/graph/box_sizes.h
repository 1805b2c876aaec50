// SPDX-License-Identifier: Apache-2.0
// Sizes of boxes from the text in them. Measured once in the window's thread, then usable in any.
#pragma once

#include "core/graph/layout_composer.h"

#include <QFont>
#include <QString>

namespace duo::ui {

/// Text metrics as plain numbers, px.
struct TextWidths {
    std::vector<double> ascii; // [128] of the title font
    double other = 0; // any other letter
    double lineHeight = 0;
    double small = 1; // size of the second line, relative to the title
};

inline constexpr double kBoxPadding = 10; // px left and right of the text
inline constexpr double kMostTextWidth = 230; // px; longer text is shortened in the middle

TextWidths measureText(const QFont& font);
QFont subtitleFont(const QFont& font);

/// Width and height of every kind of box; thread-safe.
BoxSizes boxSizes(const TextWidths& widths);

} // namespace duo::ui
