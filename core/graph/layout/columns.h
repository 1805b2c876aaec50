// SPDX-License-Identifier: Apache-2.0
// Columns: rows cut into columns that stand side by side, so that a long picture comes near a wanted shape.
#pragma once

#include "core/graph/layout/layered_graph.h"

#include <optional>
#include <vector>

namespace duo {

/// Room for lines on their way from the foot of one column to the head of the next.
inline constexpr double kTrackGap = 8; // px between two of them

struct Columns {
    struct Row {
        double top = 0;
        double bottom = 0;
    };
    std::vector<std::uint32_t> ofRank; // [ranks] ascending from 0
    std::vector<double> shift; // [columns] px that axes of the column are moved right
    std::vector<double> foot; // [columns] y of the lowest line below its last row
    std::vector<double> gutter; // [columns] x of the first line in the gutter to its right
    struct Lane {
        double y = 0; // above or below all columns
        bool isBelow = false;
    };
    std::vector<std::optional<Lane>> lane; // [edges] of those that pass a whole column
    double depth = 0; // y of the lowest of all lines below columns
    std::vector<Row> rows; // [ranks] y of the highest and the lowest side of its boxes
};

/// What the whole should look like.
struct WantedShape {
    double aspect = 0; // width to height; 0: any
    double spread = 1; // how much farther apart than usual rows stand
};

/// One column where the aspect is 0 or wrapping gains little. Cuts are made where few lines cross. O(vertices + links +
/// rows * candidates), about a hundred candidates.
Columns findColumns(const LayeredGraph& graph, const std::vector<double>& x, const WantedShape& wanted);

/// The same columns for other places. O(vertices + links).
/// @param ofRank [ranks] column of each row, ascending from 0
Columns columnsOf(const LayeredGraph& graph, const std::vector<double>& x, const WantedShape& wanted,
    const std::vector<std::uint32_t>& ofRank);

} // namespace duo
