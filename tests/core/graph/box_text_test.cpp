// SPDX-License-Identifier: Apache-2.0
#include "core/graph/box_text.h"

#include "tests/core/graph/node_box.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::nodeBox;

TEST(ShownSubtitle, IsWhatNeitherTheOperatorNorTheScopeAroundSays)
{
    EXPECT_EQ(shownSubtitle(nodeBox("Conv", "/stem/conv/Conv", "stem")), "conv");
    EXPECT_EQ(shownSubtitle(nodeBox("Conv", "/stem/conv/Conv_1", "stem")), "conv");
    EXPECT_EQ(shownSubtitle(nodeBox("Cast", "/bert/Cast_1", "bert")), "");
    EXPECT_EQ(shownSubtitle(nodeBox("Cast", "/bert/Cast", "model")), "bert");
    EXPECT_EQ(shownSubtitle(nodeBox("MatMul", "node_linear_3", "bert")), "node_linear_3");
    EXPECT_EQ(shownSubtitle(nodeBox("Add", "Add")), "");
    EXPECT_EQ(shownSubtitle(nodeBox("MatMul", "Loop::body::refine/MatMul", "loop-body")), "refine");
    EXPECT_EQ(shownSubtitle(nodeBox("Tanh", "repeat::body::tanh")), "tanh");
}

TEST(TitleRooms, EndAtTheFirstLineRightOfTheTitle)
{
    ViewGraph view;
    view.boxes = {nodeBox("a", ""), nodeBox("b", ""), nodeBox("c", "")};
    view.boxes[1].open = true;
    view.boxes[2].parent = 1;
    view.edges = {{0, 2, {}, 1, {}}};
    PictureLayout picture;
    picture.frames = {{{0, 0}, {50, 20}, 0}, {{0, 40}, {200, 100}, 30}, {{20, 80}, {50, 20}, 0}};
    picture.lines = {{{25, 20}, {25, 40}, {25, 80}}};
    EXPECT_EQ(titleRooms(view, picture)[1], 170) << "it begins right of the line";
    picture.lines = {{{25, 20}, {90, 40}, {90, 60}, {25, 80}}};
    EXPECT_EQ(titleRooms(view, picture)[1], 60);
}

} // namespace
} // namespace duo
