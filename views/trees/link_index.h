// SPDX-License-Identifier: Apache-2.0
// LinkIndex: which rows of one tree lead to which of the other, answered for spans of rows without walking them.
#pragma once

#include "core/support/id.h"
#include "views/intent/selection.h"
#include "views/trees/scope_rows.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace duo::ui {

/// A node as it stands in both trees: the places of its rows. A node with two owners has two.
struct LinkPoint {
    std::uint32_t execution = 0;
    std::uint32_t storage = 0;
    NodeId node;
};

class LinkIndex
{
public:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    LinkIndex() = default;
    explicit LinkIndex(const std::vector<LinkPoint>& points); // O(n log n)

    /// The first place at or after `from`, in the other tree, that something in `rows` of `tree` is linked to; kNone if
    /// there is none. O(log² n).
    [[nodiscard]] std::uint32_t next(TreeKind tree, RowSpan rows, std::uint32_t from) const;
    [[nodiscard]] bool links(RowSpan execution, RowSpan storage) const;

private:
    /// One direction: keys ascending, and at each level the values of blocks of 2^level neighbours, sorted.
    struct Direction {
        std::vector<std::uint32_t> keys;
        std::vector<std::vector<std::uint32_t>> levels;
    };
    static Direction sortBlocks(std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs);

    Direction m_fromExecution;
    Direction m_fromStorage;
};

} // namespace duo::ui
