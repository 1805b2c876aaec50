// SPDX-License-Identifier: Apache-2.0
// Theme: every colour the program chooses itself, for light and dark; all text pairs have a contrast of at least 4.5:1.
#pragma once

#include "core/quantize/points/decision.h"

#include <QColor>
#include <QPalette>

#include <array>

namespace duo::ui {

/// A filled box, its outline, the text on it, and the same meaning as text on the window's base colour.
struct Shade {
    QColor fill;
    QColor border;
    QColor text; // on fill
    QColor ink; // on Theme::base
};

struct Theme {
    bool isDark = false;
    QColor base; // background of lists and of the graph
    QColor text; // on base
    QColor muted; // secondary text on base
    QColor edge; // lines of the graph
    QColor selection; // outline of what is selected
    QColor hover;
    std::array<Shade, static_cast<std::size_t>(NodeState::WeightOnly) + 1> states; // by NodeState
    Shade scope; // collapsed scope
    Shade frame; // open scope
    Shade port; // model inputs and outputs, stubs
    Shade badge; // quantizer on an edge
    Shade preview; // what a rule would catch that is being written or offered
    std::array<Shade, 5> heat; // of overlays, from little to much
    Shade found; // what somebody looked for
    Shade good; // check passed
    Shade warning; // needs a look
    Shade bad; // failed
};

const Theme& lightTheme();
const Theme& darkTheme();
/// The theme that fits a palette: dark where its base is darker than its text.
const Theme& themeFor(const QPalette& palette);

QPalette lightPalette();
QPalette darkPalette();

} // namespace duo::ui
