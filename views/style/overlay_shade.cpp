// SPDX-License-Identifier: Apache-2.0
#include "views/style/overlay_shade.h"

#include "core/graph/overlay_colours.h"
#include "views/style/state_style.h"

#include <algorithm>

namespace duo::ui {
const Shade& overlayShade(const Theme& theme, const Overlay& overlay, int step)
{
    if (const auto state = stateLike(overlay, step))
        return stateShade(theme, *state);
    return theme.heat[static_cast<std::size_t>(std::clamp(step, 0, kOverlaySteps - 1))];
}

const Shade& noValueShade(const Theme& theme)
{
    return theme.frame;
}

} // namespace duo::ui
