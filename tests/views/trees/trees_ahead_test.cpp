// SPDX-License-Identifier: Apache-2.0
#include "views/trees/trees_ahead.h"

#include "tests/views/support/snapshot_builder.h"
#include "views/trees/scope_trees_panel.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

TEST(TreesAhead, AreTakenOnceAndOfTheSnapshotAskedFor)
{
    TreesAhead ahead;
    const auto snapshot = test::exampleSnapshot();
    EXPECT_FALSE(ahead.take(TreeKind::Execution, snapshot));
    ahead.make(snapshot);
    const auto made = ahead.take(TreeKind::Execution, snapshot);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->kind, TreeKind::Execution);
    EXPECT_EQ(made->rows.size(), makeTreeContent(TreeKind::Execution, snapshot).rows.size());
    EXPECT_FALSE(ahead.take(TreeKind::Execution, snapshot));
    EXPECT_FALSE(ahead.take(TreeKind::Storage, test::exampleSnapshot())) << "another one";
}

TEST(TreesAhead, AreWhatThePanelShows)
{
    ScopeTreesPanel panel;
    const auto snapshot = test::exampleSnapshot();
    panel.ahead()->make(snapshot);
    panel.setSnapshot(snapshot);
    EXPECT_EQ(panel.tree(TreeKind::Storage)->content().snapshot, snapshot);
    for (const TreeKind kind : {TreeKind::Execution, TreeKind::Storage})
        EXPECT_FALSE(panel.ahead()->take(kind, snapshot)) << "taken";
}

} // namespace
} // namespace duo::ui
