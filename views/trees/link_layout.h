// SPDX-License-Identifier: Apache-2.0
// The links to draw between the rows that are in sight, from what the rows stand for.
#pragma once

#include "views/trees/link_sets.h"

#include <optional>
#include <span>
#include <vector>

namespace duo::ui {

/// A row in sight. An open scope stands for itself, a closed one for everything below it.
struct LinkRow {
    int y = 0; // px, its middle
    RowSpan span;
};

/// Where the other end of a link is.
enum class LinkEnd { Row, Above, Below };

/// One line: between two rows in sight, or from one to where the other one was scrolled to.
struct Link {
    std::optional<std::size_t> execution; // index of the row; nothing: out of sight
    std::optional<std::size_t> storage;
    LinkEnd end = LinkEnd::Row;
    RowSpan executionSpan; // of all that the link stands for
    RowSpan storageSpan;
    bool differs = false; // some node on it
    bool isGuess = false; // every node on it
    bool isSelected = false; // some node on it
};

/// Links between rows first, from top to bottom, then those that leave. Rows ascend in y and in span. The cost is
/// O((rows + links) log² n), n being the nodes of the model.
std::vector<Link> layoutLinks(
    const LinkSets& sets, std::span<const LinkRow> execution, std::span<const LinkRow> storage);

} // namespace duo::ui
