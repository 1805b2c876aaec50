// SPDX-License-Identifier: Apache-2.0
#include "views/style/overlay_shade.h"

#include "views/style/state_style.h"

#include <algorithm>
#include <string_view>

namespace duo::ui {
namespace {

/// Precisions look as the states they come with.
NodeState likeState(std::string_view precision)
{
    if (precision == "float")
        return NodeState::Unsupported;
    if (precision == "moves codes")
        return NodeState::Fused;
    if (precision == "by the file")
        return NodeState::IgnoredInherited;
    if (precision.starts_with("weights"))
        return NodeState::WeightOnly;
    return precision.starts_with("8") ? NodeState::Quantized : NodeState::Preset;
}

} // namespace

const Shade& overlayShade(const Theme& theme, const Overlay& overlay, int step)
{
    if (overlay.kind == OverlayKind::Decision)
        return stateShade(theme, static_cast<NodeState>(step));
    if (overlay.unit == OverlayUnit::Category)
        return stateShade(theme, likeState(overlay.categories[static_cast<std::size_t>(step)]));
    return theme.heat[static_cast<std::size_t>(std::clamp(step, 0, kOverlaySteps - 1))];
}

const Shade& noValueShade(const Theme& theme)
{
    return theme.frame;
}

} // namespace duo::ui
