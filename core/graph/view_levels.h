// SPDX-License-Identifier: Apache-2.0
// View levels: a view cut into one flat graph per open box, with ports where edges pass a border.
#pragma once

#include "core/graph/layout/layout.h"
#include "core/graph/view_graph.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace duo {

/// The inside of one open box (or of the picture): its boxes, then its ports.
struct ViewLevel {
    std::int32_t box = -1; // the open box; -1: the picture
    std::vector<std::uint32_t> members; // view boxes
    std::vector<Pin> ports; // Top: values enter, Bottom: values leave; one per source box outside or inside
    std::vector<LayoutInput::Edge> edges; // distinct; ends index members, then ports
};

/// Part of a view edge inside one level.
struct EdgeStep {
    std::uint32_t level = 0;
    std::uint32_t edge = 0; // ViewLevel::edges
};

struct ViewLevels {
    std::vector<ViewLevel> levels; // [0] the picture, then open boxes in box order: parents before children
    std::vector<std::uint32_t> levelOf; // [boxes] level in which the box stands
    std::vector<std::vector<EdgeStep>> steps; // [view edges] from the source box to the reading box
};

/// O(boxes + edges * depth).
ViewLevels cutIntoLevels(const ViewGraph& view);

} // namespace duo
