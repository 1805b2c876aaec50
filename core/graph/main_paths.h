// SPDX-License-Identifier: Apache-2.0
// Main paths: what a picture is built along, from an input of the model to an output, and from where values enter an
// open box to where they leave it.
#pragma once

#include "core/graph/view_graph.h"
#include "core/graph/view_levels.h"

#include <cstdint>
#include <vector>

namespace duo {

struct MainPaths {
    std::vector<std::uint32_t> whole; // view edges, one after the other
    std::vector<std::vector<std::uint32_t>> inside; // [levels] ViewLevel::edges, one after the other
};

/// The path from an input to an output through the most parameters, of equals one of data, not of their shapes, and of
/// those the one through the most nodes, those of closed boxes counted, so that it is about the same whatever is open;
/// it leads downwards everywhere, thus to no box twice. Where there is none, any path through the most. The same inside
/// open boxes beside it, from where values enter to where they leave. O(edges * depth * log).
MainPaths findMainPaths(const ViewGraph& view, const ViewLevels& cut);

} // namespace duo
