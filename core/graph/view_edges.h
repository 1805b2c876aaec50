// SPDX-License-Identifier: Apache-2.0
// View edges: values lifted to the visible boxes, merged per pair of boxes, and stubs instead of edges for hubs.
#pragma once

#include "core/graph/quantizer_badges.h"
#include "core/graph/view_graph.h"

#include <cstdint>
#include <vector>

namespace duo {

/// The visible box that stands for each node and value end; kNoBox where there is none.
struct BoxIndex {
    static constexpr std::uint32_t kNoBox = 0xFFFFFFFF;
    std::vector<std::uint32_t> ofNode; // [Model::nodes]
    std::vector<std::uint32_t> ofInput; // [Model::values] model inputs
    std::vector<std::uint32_t> ofOutput; // [Model::values] model outputs
};

/// Boxes of one open scope that may read a value before its edges become stubs.
inline constexpr std::size_t kMostReaders = 8;

/// Adds edges, and stub boxes at the end of the boxes, to a view that has boxes only.
void addEdgesInPlace(ViewGraph& view, const Model& model, const BoxIndex& boxes, const QuantizerBadges& badges);

} // namespace duo
