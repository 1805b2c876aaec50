// SPDX-License-Identifier: Apache-2.0
// LinkSets: where each node stands in both trees, and which of them differ, are known, are selected.
#pragma once

#include "views/trees/link_index.h"
#include "views/trees/tree_content.h"

#include <functional>
#include <vector>

namespace duo::ui {

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
