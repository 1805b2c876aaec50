// SPDX-License-Identifier: Apache-2.0
// LinkSets: where each node stands in both trees, and which of them differ, are known, are selected.
#pragma once

#include "core/support/id.h"
#include "views/intent/selection.h"
#include "views/trees/scope_rows.h"
#include "views/trees/tree_content.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace duo::ui {

/// A node as it stands in both trees: the places of its rows. A node with two owners has two.
struct LinkPoint {
    std::uint32_t execution = 0;
    std::uint32_t storage = 0;
    NodeId node;
};

/// Which rows of one tree lead to which of the other, answered for spans of rows without walking them.
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

struct LinkSets {
    std::vector<LinkPoint> points; // by node
    LinkIndex all;
    LinkIndex differing; // the node's scopes differ
    LinkIndex known; // neither end is a guess
    LinkIndex selected;
};

/// Whether the row of a tree passes its filter.
using IsShown = std::function<bool(TreeKind tree, std::size_t row)>;

/// Every node whose rows are shown in both trees; none of it selected. `isShown` may be empty: all are.
/// O(n log n), n being the nodes.
LinkSets makeLinkSets(const TreeContent& execution, const TreeContent& storage, const IsShown& isShown);

/// O(points) and O(s log s) of those selected.
void selectInPlace(LinkSets& sets, const std::vector<NodeId>& nodes);

/// The nodes on a link, ascending. O(points).
std::vector<NodeId> nodesOn(const LinkSets& sets, RowSpan execution, RowSpan storage);

} // namespace duo::ui
