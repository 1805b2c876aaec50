// SPDX-License-Identifier: Apache-2.0
// Graphs that break careless layout engines, and what every layout must keep.
#pragma once

#include "core/graph/layout/layout.h"

#include <string>
#include <vector>

namespace duo::test {

struct NamedInput {
    std::string name;
    LayoutInput input;
};

/// Boxes of 100 x 28, edges as pairs.
LayoutInput graphOf(std::size_t boxes, const std::vector<LayoutInput::Edge>& edges);

LayoutInput chainOf(std::size_t boxes);
LayoutInput fanInOf(std::size_t sources); // all into the last box
LayoutInput denseOf(std::size_t boxes); // every box reads all before it

/// Empty, one box, self loops, cycles, multi-edges, disconnected, pinned, random with cycles; all small.
std::vector<NamedInput> degenerateGraphs();

/// "" if every box lies inside the size without touching another and every line joins the borders of its boxes; else
/// the first thing that is wrong.
std::string problemOf(const LayoutInput& input, const LayoutResult& result);

/// Pairs of an edge and a box it runs through, its own two boxes included; what touches a border does not count.
std::size_t edgesThroughBoxes(const LayoutInput& input, const LayoutResult& result);

} // namespace duo::test
