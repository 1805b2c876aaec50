// SPDX-License-Identifier: Apache-2.0
#include "core/graph/overlay_colours.h"

#include <string_view>

namespace duo {
namespace {

/// Precisions look as the states they come with.
NodeState likePrecision(std::string_view precision)
{
    if (precision == "float")
        return NodeState::Unsupported;
    if (precision == "moves codes")
        return NodeState::Fused;
    if (precision == "by the file")
        return NodeState::IgnoredInherited;
    if (precision.starts_with("weights"))
        return NodeState::WeightOnly;
    if (precision == "int8" || precision == "quantizer") // of a kernel
        return NodeState::Quantized;
    return precision.starts_with("8") ? NodeState::Quantized : NodeState::Preset;
}

/// 16 bits, 32 for what the values are, 32 for the operator.
NodeState likeWidth(int step)
{
    return step == 0 ? NodeState::Quantized : step == 1 ? NodeState::Preset : NodeState::Unsupported;
}

} // namespace

std::optional<NodeState> stateLike(const Overlay& overlay, int step)
{
    if (overlay.unit != OverlayUnit::Category || overlay.kind == OverlayKind::Difference)
        return std::nullopt;
    if (overlay.kind == OverlayKind::Decision)
        return step > static_cast<int>(NodeState::WeightOnly) ? NodeState::Unsupported // a quantizer of the file
                                                              : static_cast<NodeState>(step);
    if (overlay.kind == OverlayKind::Half)
        return likeWidth(step);
    return likePrecision(overlay.categories[static_cast<std::size_t>(step)]);
}

std::vector<LegendRow> legendOf(const Overlay& overlay)
{
    const bool isCategory = overlay.unit == OverlayUnit::Category;
    std::vector<LegendRow> rows;
    for (int step = 0; step < (isCategory ? static_cast<int>(overlay.categories.size()) : kOverlaySteps); ++step)
        rows.push_back({step, stepText(overlay, step), 0});
    LegendRow without{std::nullopt, overlay.kind == OverlayKind::Difference ? "not different" : "no value", 0};
    for (const auto& value : overlay.ofNode)
        ++(value ? rows[static_cast<std::size_t>(overlay.stepOf(*value))] : without).nodes;
    if (isCategory)
        std::erase_if(rows, [](const LegendRow& row) { return row.nodes == 0; });
    if (without.nodes > 0)
        rows.push_back(std::move(without));
    return rows;
}

} // namespace duo
