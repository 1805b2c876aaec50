// SPDX-License-Identifier: Apache-2.0
// ViewLevels: a view cut into the insides of its open boxes, each laid out by itself, with ports where edges go on
// outside.
#pragma once

#include "core/graph/layout/layout.h"
#include "core/graph/view_graph.h"

#include <cstdint>
#include <vector>

namespace duo {

/// The inside of one open box (or of the picture): its boxes, then its ports.
struct ViewLevel {
    static constexpr std::uint32_t kNoPort = 0xFFFFFFFF;
    struct Edge {
        std::uint32_t from = 0; // members, then ports
        std::uint32_t to = 0;
        std::uint32_t leaves = kNoPort; // if `from` is an open box: the port inside it, counted like ends in there
        std::uint32_t enters = kNoPort; // likewise of `to`
    };
    std::int32_t box = -1; // the open box; -1: the picture
    std::vector<std::uint32_t> members; // view boxes
    std::size_t closed = 0; // boxes in it and in open boxes inside it that are not open, but for stubs
    std::vector<Pin> ports; // Top: values enter, Bottom: values leave; one per source box outside or inside
    std::vector<Edge> edges; // distinct
    std::vector<std::uint32_t> spine; // edges of the main path; empty: none is known
    std::vector<std::uint32_t> branches; // members two by two: of branches of one node, that which stands left first
    std::vector<std::uint32_t> lowered; // members in rows below those where they would stand
    bool keepsPorts = false; // ports of a side stand in the order in which they are listed
};

/// Part of a view edge inside one level.
struct EdgeStep {
    std::uint32_t level = 0;
    std::uint32_t edge = 0; // ViewLevel::edges
};

struct ViewLevels {
    std::vector<ViewLevel> levels; // [0] the picture, then open boxes in box order: parents before children
    std::vector<std::uint32_t> levelOf; // [boxes] level in which the box stands
    std::vector<std::uint32_t> levelInside; // [boxes] of open boxes; 0 for others
    std::vector<std::vector<EdgeStep>> steps; // [view edges] from the source box to the reading box
};

/// O(boxes + edges * depth).
ViewLevels cutIntoLevels(const ViewGraph& view);

/// [members, then ports] Small things that only feed one box need no row of their own; who reads something has one, and
/// others may stand beside it.
std::vector<Pin> pinsOf(const ViewGraph& view, const ViewLevel& level);

/// [members, then ports] The row of each, 0 at the top.
std::vector<std::uint32_t> rowsOf(const ViewGraph& view, const ViewLevel& level);

/// Lists the ports of a level in another order.
/// @param level of an open box
/// @param order [ports] the port that comes first, second, … counted from 0
void reorderPortsInPlace(ViewLevels& cut, std::uint32_t level, const std::vector<std::uint32_t>& order);

} // namespace duo
