// SPDX-License-Identifier: Apache-2.0
// Ranks: the row of every box, so that edges lead downwards where the graph has no cycle.
#pragma once

#include "core/graph/layout/layout.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace duo {

/// The reader that each box pinned beside one stands at [boxes], 0xFFFFFFFF for all others: it reads nothing, one free
/// box alone reads it, and no more than eight others stand there. O(boxes + edges).
std::vector<std::uint32_t> readersBeside(const LayoutInput& input);

/// Row of each box, 0 at the top, no row empty. Cycles are broken at the box with the lowest index among those that
/// wait; private chains stand right above their reader; very wide rows of sources or sinks are wrapped. Pinned boxes
/// have the first or the last row for themselves, boxes beside a reader its row. Edges must be in range. O(boxes +
/// edges), no recursion.
std::vector<std::uint32_t> findRanks(const LayoutInput& input);

/// The rows of another engine's layout of the same input; nothing where an edge would stay in its row, or where
/// findRanks() would have wrapped a row. O(boxes log boxes + edges).
std::optional<std::vector<std::uint32_t>> ranksOf(const LayoutInput& input, const LayoutResult& layout);

/// Rows crossed by edges: the sum over edges of row distance - 1. What makes network simplex slow. O(boxes + edges).
std::size_t crossedRows(const LayoutInput& input);

} // namespace duo
