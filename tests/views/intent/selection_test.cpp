// SPDX-License-Identifier: Apache-2.0
#include "views/intent/selection.h"

#include "tests/views/support/snapshot_builder.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

TEST(Selection, OfAScopeHoldsTheNodesBelowOnceInOrder)
{
    const auto snapshot = test::exampleSnapshot();
    const ScopeId blk = snapshot->scopes->execution.find("blk");
    EXPECT_EQ(
        selectScope(*snapshot->scopes, TreeKind::Execution, blk).nodes, (std::vector<NodeId>{NodeId(1), NodeId(2)}));
    EXPECT_EQ(selectScope(*snapshot->scopes, TreeKind::Execution, ScopeId(0)).nodes.size(), 7U);
}

TEST(Selection, CoverNamesTopmostFullScopesAndSingleNodes)
{
    const auto snapshot = test::exampleSnapshot();
    const ScopeTree& tree = snapshot->scopes->execution;
    const Cover cover = coverNodes(tree, {NodeId(0), NodeId(1), NodeId(2), NodeId(4)}, 7);
    EXPECT_EQ(cover.scopes, (std::vector<ScopeId>{tree.find("conv1"), tree.find("blk")}));
    EXPECT_EQ(cover.nodes, (std::vector<std::pair<ScopeId, NodeId>>{{tree.find("blk#1"), NodeId(4)}}));
}

TEST(Selection, CoverOfAllNodesIsTheRoot)
{
    const auto snapshot = test::exampleSnapshot();
    std::vector<NodeId> all;
    for (std::size_t i = 0; i < 7; ++i)
        all.emplace_back(i);
    EXPECT_EQ(coverNodes(snapshot->scopes->execution, all, 7).scopes, std::vector<ScopeId>{ScopeId(0)});
}

} // namespace
} // namespace duo::ui
