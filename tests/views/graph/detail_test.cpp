// SPDX-License-Identifier: Apache-2.0
#include "views/graph/detail.h"

#include "tests/views/support/picture_builder.h"
#include "tests/views/support/snapshot_builder.h"
#include "views/graph/insides.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace duo::ui {
namespace {

using Look = Detail::Look;

TEST(Detail, WhatCannotBeReadIsOneClosedBox)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {"blk"});
    const int blk = picture->boxOfKey("blk");
    const int relu = test::boxOfNode(*picture, NodeId(2));
    const Detail near(*picture, 1);
    EXPECT_EQ(near.look(blk), Look::Frame);
    EXPECT_EQ(near.look(relu), Look::Closed);
    EXPECT_EQ(near.shown(relu), relu);
    const Detail far(*picture, 0.1);
    EXPECT_EQ(far.look(blk), Look::Closed);
    EXPECT_EQ(far.look(relu), Look::Hidden);
    EXPECT_EQ(far.shown(relu), blk);
}

TEST(Detail, AQuantizerIsAsNarrowAsItsLetters)
{
    Picture picture = *test::makePicture(test::exampleSnapshot(), {"blk"});
    const int blk = picture.boxOfKey("blk");
    const auto pill = static_cast<std::size_t>(test::boxOfNode(picture, NodeId(2)));
    picture.layout.frames[pill].size.width = 15;
    EXPECT_EQ(Detail(picture, 1).look(blk), Look::Closed);
    picture.graph.boxes[pill].kind = ViewBox::Kind::Quantizer;
    EXPECT_EQ(Detail(picture, 1).look(blk), Look::Frame);
}

TEST(Detail, InsidesShowOnceTheyCanBeReadAndMoveNothing)
{
    const auto closed = test::makePicture(test::exampleSnapshot(), {});
    const auto picture = test::withInsides(*closed, {"blk"});
    ASSERT_TRUE(picture);
    const int blk = picture->boxOfKey("blk");
    EXPECT_EQ(picture->inside, std::set<std::string>{"blk"});
    for (std::size_t i = 0; i < closed->graph.boxes.size(); ++i)
        EXPECT_EQ(picture->frame(static_cast<int>(i)), closed->frame(static_cast<int>(i)));
    const int relu = test::boxOfNode(*picture, NodeId(2));
    EXPECT_LT(picture->scale(relu), 1);
    EXPECT_TRUE(picture->frame(blk).contains(picture->frame(relu)));
    EXPECT_EQ(Detail(*picture, 0.4).look(blk), Look::Closed);
    EXPECT_EQ(Detail(*picture, 1 / picture->scale(relu)).look(blk), Look::Frame);
    EXPECT_FALSE(picture->graph.boxes[static_cast<std::size_t>(blk)].open); // it can still be opened for good
}

TEST(Detail, InsidesOfInsidesFitToo)
{
    const auto closed = test::makePicture(test::exampleSnapshot(), {});
    const auto picture = test::withInsides(*closed, {"blk#1", "blk#1/lin#1"});
    ASSERT_TRUE(picture);
    for (std::size_t i = closed->graph.boxes.size(); i < picture->graph.boxes.size(); ++i) {
        const int parent = picture->graph.boxes[i].parent;
        ASSERT_GE(parent, 0);
        EXPECT_TRUE(picture->frame(parent).contains(picture->frame(static_cast<int>(i)))) << i;
    }
    EXPECT_EQ(picture->layout.frames.size(), picture->graph.boxes.size());
    EXPECT_EQ(picture->layout.lines.size(), picture->graph.edges.size());
}

TEST(Detail, InsidesFitIntoBoxesOfAnySize)
{
    const auto closed = test::makePicture(test::exampleSnapshot(), {});
    const auto blk = static_cast<std::size_t>(closed->boxOfKey("blk"));
    for (double width = 20.1; width < 400; width *= 1.07) { // rounding leaves less than nothing in some
        for (double height = 11.3; height < 200; height *= 1.11) {
            Picture sized = *closed;
            sized.layout.frames[blk].size = {width, height};
            sized.layout.frames[blk].topLeft.x += 1 / height;
            const auto picture = test::withInsides(sized, {"blk"});
            ASSERT_TRUE(picture);
            const int relu = test::boxOfNode(*picture, NodeId(2));
            EXPECT_TRUE(picture->frame(static_cast<int>(blk)).contains(picture->frame(relu)));
        }
    }
}

TEST(Detail, LinesLeadOnToWhatIsInside)
{
    const auto closed = test::makePicture(test::exampleSnapshot(), {});
    const auto picture = test::withInsides(*closed, {"blk"});
    ASSERT_TRUE(picture);
    const auto blk = static_cast<std::uint32_t>(picture->boxOfKey("blk"));
    const auto outer = [&](bool comes) {
        const auto& edges = picture->graph.edges;
        const auto found = std::ranges::find_if(
            edges, [&](const ViewEdge& edge) { return comes ? edge.to == blk : edge.from == blk; });
        const auto& line = picture->layout.lines[static_cast<std::size_t>(found - edges.begin())];
        return comes ? line.back() : line.front();
    };
    int comesIn = 0;
    int goesOut = 0;
    for (std::size_t e = closed->graph.edges.size(); e < picture->graph.edges.size(); ++e) {
        const ViewEdge& edge = picture->graph.edges[e];
        const auto& line = picture->layout.lines[e];
        const bool isIn = edge.from == blk;
        if (!picture->leadsOn(edge))
            continue;
        ++(isIn ? comesIn : goesOut);
        const Point& atFrame = isIn ? line.front() : line.back();
        EXPECT_EQ(atFrame, outer(isIn));
        const Point& atBox = isIn ? line.back() : line.front();
        const QRectF box = picture->frame(static_cast<int>(isIn ? edge.to : edge.from));
        EXPECT_TRUE(box.adjusted(-1, -1, 1, 1).contains(QPointF(atBox.x, atBox.y)));
    }
    EXPECT_EQ(comesIn, 1);
    EXPECT_EQ(goesOut, 1);
}

TEST(Detail, ALineEndsAtTheBordersOfBoxesThatAreDrawnClosed)
{
    const QPolygonF line({{5, 5}, {5, 20}, {5, 50}, {15, 95}});
    const QRectF upper(0, 0, 10, 30);
    const QRectF lower(0, 60, 30, 40);
    EXPECT_EQ(lineOutside(line, upper, {}), QPolygonF({{5, 30}, {5, 50}, {15, 95}}));
    EXPECT_EQ(lineOutside(line, upper, lower).first(), QPointF(5, 30));
    EXPECT_DOUBLE_EQ(lineOutside(line, upper, lower).last().y(), 60);
    EXPECT_TRUE(lineOutside(line, QRectF(-10, -10, 200, 200), {}).isEmpty());
    EXPECT_EQ(lineOutside(line, {}, {}), line);
}

} // namespace
} // namespace duo::ui
