// SPDX-License-Identifier: Apache-2.0
#include "views/trees/shown_rows.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

/// Rows by their parents, each of which comes before its children; children lie side by side.
std::vector<ScopeRow> rowsBelow(const std::vector<std::int32_t>& parents)
{
    std::vector<ScopeRow> rows(parents.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].parent = parents[i];
        if (parents[i] < 0)
            continue;
        ScopeRow& parent = rows[static_cast<std::size_t>(parents[i])];
        if (parent.children++ == 0)
            parent.firstChild = static_cast<std::uint32_t>(i);
    }
    return rows;
}

TEST(ShownRows, NumbersThoseThatAreShownAnew)
{
    const auto rows = rowsBelow({-1, 0, 0, 0, 2, 2});
    const ShownRows shown(rows, {true, false, true, true, true, false});
    EXPECT_EQ(shown.count(), 4U);
    EXPECT_EQ(shown.childrenOf(0), 2);
    EXPECT_EQ(shown.childOf(rows[0], 0), 2U);
    EXPECT_EQ(shown.childOf(rows[0], 1), 3U);
    EXPECT_EQ(shown.placeOf(3), 1);
    EXPECT_FALSE(shown.has(1));
    EXPECT_EQ(shown.childrenOf(2), 1);
    EXPECT_EQ(shown.childOf(rows[2], 0), 4U);
    EXPECT_FALSE(shown.has(5));
}

TEST(ShownRows, NothingIsShownBelowWhatIsNot)
{
    const ShownRows shown(rowsBelow({-1, 0, 1}), {true, false, true});
    EXPECT_EQ(shown.count(), 1U);
    EXPECT_FALSE(shown.has(2));
}

TEST(ShownRows, OfNoRowsNoneIsShown)
{
    EXPECT_EQ(ShownRows({}, {}).count(), 0U);
}

} // namespace
} // namespace duo::ui
