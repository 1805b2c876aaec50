// SPDX-License-Identifier: Apache-2.0
#include "views/graph/picture.h"

#include "tests/views/support/picture_builder.h"
#include "tests/views/support/snapshot_builder.h"
#include "views/graph/graph_walk.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

std::string titleOf(const Picture& picture, int box)
{
    return box == Picture::kNoBox ? "none" : picture.graph.boxes[static_cast<std::size_t>(box)].title;
}

TEST(Picture, InnermostBoxIsHit)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {"blk"});
    const int blk = picture->boxOfKey("blk");
    ASSERT_NE(blk, Picture::kNoBox);
    EXPECT_EQ(picture->boxAt(picture->frame(blk).topLeft() + QPointF(2, 2)), blk);
    const int relu = test::boxOfNode(*picture, NodeId(2));
    ASSERT_NE(relu, Picture::kNoBox);
    EXPECT_NE(relu, blk);
    EXPECT_EQ(picture->boxAt(picture->frame(relu).center()), relu);
    EXPECT_EQ(picture->boxAt(QPointF(-5, -5)), Picture::kNoBox);
}

TEST(Picture, NodesInAClosedScopeAreShownByItsBox)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {});
    const int closed = picture->boxOfKey("blk#1");
    ASSERT_NE(closed, Picture::kNoBox);
    EXPECT_EQ(picture->boxesOf(selectNodes({NodeId(3), NodeId(4)})), std::vector<int>{closed});
}

TEST(Picture, ScopeBoxStandsForItsScope)
{
    const auto snapshot = test::exampleSnapshot();
    const auto picture = test::makePicture(snapshot, {"blk"});
    const Selection blk = selectScope(*snapshot->scopes, TreeKind::Execution, snapshot->scopes->execution.find("blk"));
    const int box = picture->boxOfKey("blk");
    EXPECT_EQ(picture->selectionOf(box), blk);
    EXPECT_EQ(picture->boxesOf(blk), std::vector<int>{box});
}

TEST(Picture, StorageScopeMarksEveryBoxThatReadsIt)
{
    const auto snapshot = test::exampleSnapshot();
    const auto picture = test::makePicture(snapshot, {});
    const Selection blk = selectScope(*snapshot->scopes, TreeKind::Storage, snapshot->scopes->storage.find("blk"));
    EXPECT_EQ(picture->boxesOf(blk).size(), 2U); // the block runs twice
}

TEST(Picture, NodesOfALargerModelThatWasOpenBeforeAreInNoBox)
{
    const auto snapshot = test::exampleSnapshot();
    const auto picture = test::makePicture(snapshot, {});
    const NodeId foreign(snapshot->model->nodes.size());
    EXPECT_TRUE(picture->boxesOf(selectNodes({foreign})).empty());
    EXPECT_TRUE(picture->keysAround({foreign}).empty());
}

TEST(Picture, AKernelSelectsTheNodesItCameFrom)
{
    const auto snapshot = test::exampleSnapshot();
    const auto run = test::exampleRun(*snapshot);
    const auto picture = test::makeRunPicture(snapshot, run, {"blk"});
    const int fused = test::boxOfNode(*picture, NodeId(1));
    EXPECT_EQ(titleOf(*picture, fused), "FusedGemm");
    EXPECT_EQ(picture->selectionOf(fused), selectNodes({NodeId(1), NodeId(2)}));
    EXPECT_EQ(picture->boxesOf(selectNode(NodeId(2))), std::vector<int>{fused});
    EXPECT_EQ(picture->boxesOf(selectNode(NodeId(6))).size(), 1U);
    EXPECT_EQ(titleOf(*picture, test::boxOfNode(*picture, NodeId(6))), "Softmax");
    const Selection blk = selectScope(*snapshot->scopes, TreeKind::Execution, snapshot->scopes->execution.find("blk"));
    EXPECT_EQ(picture->boxesOf(blk), std::vector<int>{fused}) << "a scope of one kernel is that kernel";
    EXPECT_EQ(picture->keysAround({NodeId(6)}), std::vector<std::string>{});
    const ValueId inside = snapshot->model->findValue("v1");
    EXPECT_FALSE(run->kernels->findValue("v1").valid());
    EXPECT_EQ(picture->valueInModel(run->kernels->findValue("v2")).index, inside.index + 1);
}

TEST(GraphWalk, FollowsEdgesAndReturns)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {});
    int box = walk(*picture, Picture::kNoBox, Step::Consumer);
    EXPECT_EQ(titleOf(*picture, box), "x");
    std::string path;
    for (int i = 0; i < 10; ++i) {
        box = walk(*picture, box, Step::Consumer);
        path += titleOf(*picture, box) + " ";
    }
    EXPECT_EQ(path, "Conv blk blk#1 Gemm Softmax y y y y y ");
    box = walk(*picture, box, Step::Producer);
    EXPECT_EQ(titleOf(*picture, box), "Softmax");
}

TEST(GraphWalk, StaysOnTheMainWayWhereASideBranchIsNearer)
{
    auto picture = *test::makePicture(test::exampleSnapshot(), {});
    const int conv = test::boxOfNode(picture, NodeId(0));
    const int blk = walk(picture, conv, Step::Consumer);
    ASSERT_EQ(titleOf(picture, blk), "blk");
    ViewBox branch; // a shape, say, that is read where the main way is done
    branch.title = "Shape";
    const auto side = static_cast<std::uint32_t>(picture.graph.boxes.size());
    picture.graph.boxes.push_back(branch);
    const QRectF near = picture.frame(conv);
    picture.layout.frames.push_back({{near.right(), near.top()}, {40, 40}});
    picture.graph.edges.push_back({static_cast<std::uint32_t>(conv), side, "", 1, {}});
    picture.graph.boxes[static_cast<std::size_t>(blk)].quantized = 1;
    EXPECT_EQ(walk(picture, conv, Step::Consumer), blk);
    for (ViewBox& box : picture.graph.boxes) {
        box.state = NodeState::Unsupported;
        box.quantized = 0;
    }
    EXPECT_EQ(walk(picture, conv, Step::Consumer), static_cast<int>(side)) << "no main way is known";
}

TEST(GraphWalk, EntersAndLeavesOpenScopes)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {"blk"});
    const int conv = test::boxOfNode(*picture, NodeId(0));
    const int inside = walk(*picture, conv, Step::Consumer);
    EXPECT_EQ(picture->graph.boxes[static_cast<std::size_t>(inside)].parent, picture->boxOfKey("blk"));
    EXPECT_EQ(titleOf(*picture, walk(*picture, picture->boxOfKey("blk"), Step::Consumer)), "blk#1");
}

} // namespace
} // namespace duo::ui
