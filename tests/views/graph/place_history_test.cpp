// SPDX-License-Identifier: Apache-2.0
#include "views/graph/place_history.h"

#include "tests/views/support/picture_builder.h"
#include "tests/views/support/snapshot_builder.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

TEST(PlaceHistory, APlaceIsFoundAgainInAnotherPicture)
{
    const auto snapshot = test::exampleSnapshot();
    const auto closed = test::makePicture(snapshot, {});
    const auto open = test::makePicture(snapshot, {"blk"});
    const QPointF middle = closed->frame(closed->boxOfKey("blk#1")).center();
    const GraphPlace place = placeOf(*closed, middle, 2);
    EXPECT_LE((pointOf(*closed, place) - middle).manhattanLength(), 0.01);
    const QPointF moved = open->frame(open->boxOfKey("blk#1")).center();
    EXPECT_LE((pointOf(*open, place) - moved).manhattanLength(), 0.01);
}

TEST(PlaceHistory, ANodeThatIsNotShownAnyMoreIsFoundInWhatHoldsIt)
{
    const auto snapshot = test::exampleSnapshot();
    const auto open = test::makePicture(snapshot, {"blk"});
    const auto closed = test::makePicture(snapshot, {});
    const GraphPlace place = placeOf(*open, open->frame(test::boxOfNode(*open, NodeId(2))).center(), 1);
    EXPECT_TRUE(closed->frame(closed->boxOfKey("blk")).contains(pointOf(*closed, place)));
}

TEST(PlaceHistory, GoesBackAndForwardAndForgetsWhatWasAhead)
{
    const auto at = [](double zoom) { return GraphPlace{{}, {}, {}, {}, zoom, false}; };
    PlaceHistory history;
    EXPECT_FALSE(history.back(at(1)));
    history.leave(at(1));
    history.leave(at(2));
    EXPECT_EQ(history.back(at(3))->zoom, 2);
    EXPECT_EQ(history.back(at(2))->zoom, 1);
    EXPECT_EQ(history.forward(at(1))->zoom, 2);
    history.leave(at(2));
    EXPECT_FALSE(history.forward(at(5)));
    EXPECT_EQ(history.back(at(5))->zoom, 2);
}

} // namespace
} // namespace duo::ui
