// SPDX-License-Identifier: Apache-2.0
// How the value of an overlay looks.
#pragma once

#include "core/graph/overlay.h"
#include "views/style/theme.h"

namespace duo::ui {

/// @param step of Overlay::stepOf
const Shade& overlayShade(const Theme& theme, const Overlay& overlay, int step);
/// Of what has no value while an overlay is shown.
const Shade& noValueShade(const Theme& theme);

} // namespace duo::ui
