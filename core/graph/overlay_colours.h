// SPDX-License-Identifier: Apache-2.0
// Overlay colours: how the values of an overlay look on white, in the window and in drawings, and what they mean.
#pragma once

#include "core/graph/overlay.h"
#include "core/quantize/points/decision.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duo {

struct OverlayColour {
    std::uint32_t fill = 0; // 0xRRGGBB
    std::uint32_t border = 0;
    std::uint32_t text = 0;
    std::uint32_t ink = 0; // of text on the ground
};

/// From little to much, on light ground.
inline constexpr std::array<OverlayColour, kOverlaySteps> kOverlayColours{{
    {0xd3e5ea, 0x5f8794, 0x14323c, 0x2f6474},
    {0xfdf0c4, 0xb58500, 0x3d3000, 0x7a5a00},
    {0xfdc98a, 0xb86200, 0x4a2500, 0x9a4d00},
    {0xf0936a, 0xa93c14, 0x300c00, 0xa03a12},
    {0xb3261e, 0x6b130e, 0xffffff, 0xa5211a},
}};

/// Categories of decisions and bits look as states do; nothing for other units, and for differences.
std::optional<NodeState> stateLike(const Overlay& overlay, int step);

/// What colours mean, and how many nodes have them.
struct LegendRow {
    std::optional<int> step; // nothing: no value
    std::string text; // "over 20 %"
    std::int64_t nodes = 0;
};

/// Categories without nodes are left out; "no value" comes last, where there are such nodes.
std::vector<LegendRow> legendOf(const Overlay& overlay);

} // namespace duo
