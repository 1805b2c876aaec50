// SPDX-License-Identifier: Apache-2.0
#include "views/graph/place_history.h"

#include "tests/views/support/picture_builder.h"
#include "tests/views/support/snapshot_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(PlaceHistory, PlacesThatLookTheSameAreOne)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {});
    const GraphPlace first = placeOf(*picture, picture->frame(picture->boxOfKey("blk#1")).center(), 2);
    const GraphPlace now = placeOf(*picture, picture->frame(picture->boxOfKey("blk")).center(), 2);
    PlaceHistory history;
    history.leave(first);
    history.leave(now); // for what was in sight already
    const auto back = history.back(now);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->box->key, "blk#1");
    EXPECT_FALSE(history.back(first));
}

TEST(PlaceHistory, ANodeThatIsNotShownAnyMoreIsFoundInWhatHoldsIt)
{
    const auto snapshot = test::exampleSnapshot();
    const auto open = test::makePicture(snapshot, {"blk"});
    const auto closed = test::makePicture(snapshot, {});
    const GraphPlace place = placeOf(*open, open->frame(test::boxOfNode(*open, NodeId(2))).center(), 1);
    EXPECT_TRUE(closed->frame(closed->boxOfKey("blk")).contains(pointOf(*closed, place)));
}

TEST(PlaceHistory, AScopeThatIsNotShownAnyMoreIsFoundInWhatHoldsIt)
{
    const auto snapshot
        = test::makeSnapshot({{"/a/Conv", "Conv", "stage/a", {}, {}}, {"/a/Relu", "Relu", "stage/a", {}, {}},
            {"/b", "Conv", "stage", {}, {}}, {"/c", "Conv", "", {}, {}}, {"/d", "Conv", "", {}, {}}});
    const auto open = test::makePicture(snapshot, {"stage"});
    const auto closed = test::makePicture(snapshot, {});
    const GraphPlace place = placeOf(*open, open->frame(open->boxOfKey("stage/a")).center(), 1);
    EXPECT_TRUE(closed->frame(closed->boxOfKey("stage")).contains(pointOf(*closed, place)));
}

TEST(PlaceHistory, AClosedBoxIsFoundAsTheNodeItIsInAnotherForm)
{
    const auto snapshot = test::exampleSnapshot();
    const auto closed = test::makePicture(snapshot, {});
    const auto run = test::makeRunPicture(snapshot, test::exampleRun(*snapshot), {});
    const int scope = closed->boxOfKey("blk#1");
    const int kernel = test::boxOfNode(*run, NodeId(4));
    ASSERT_EQ(run->boxOfKey("blk#1"), Picture::kNoBox) << "a scope of one kernel is shown as that";
    const GraphPlace place = placeOf(*closed, closed->frame(scope).center(), 2);
    EXPECT_EQ(boxOf(*run, place), kernel);
    EXPECT_LE((pointOf(*run, place) - run->frame(kernel).center()).manhattanLength(), 0.01);
    EXPECT_EQ(boxOf(*closed, placeOf(*run, run->frame(kernel).center(), 2)), scope);
}

TEST(PlaceHistory, InputsAreFoundByTheirValueInAnotherForm)
{
    const auto snapshot = test::exampleSnapshot();
    const auto closed = test::makePicture(snapshot, {});
    const auto run = test::makeRunPicture(snapshot, test::exampleRun(*snapshot), {});
    const auto input = [](const Picture& picture) {
        const auto box = std::ranges::find(picture.graph.boxes, ViewBox::Kind::Input, &ViewBox::kind);
        return static_cast<int>(box - picture.graph.boxes.begin());
    };
    EXPECT_EQ(boxOf(*run, placeOf(*closed, closed->frame(input(*closed)).center(), 1)), input(*run));
}

TEST(PlaceHistory, AKernelOfNoNodeIsFoundByTheNextOne)
{
    const auto snapshot = test::exampleSnapshot();
    const auto closed = test::makePicture(snapshot, {});
    RunGraph kernels = *test::exampleRun(*snapshot);
    kernels.origins[1].clear(); // "one", of blk
    const auto run = test::makeRunPicture(snapshot, std::make_shared<const RunGraph>(std::move(kernels)), {});
    const auto one = std::ranges::find(run->graph.boxes, NodeId(1), &ViewBox::node);
    const int box = static_cast<int>(one - run->graph.boxes.begin());
    EXPECT_EQ(boxOf(*closed, placeOf(*run, run->frame(box).center(), 1)), closed->boxOfKey("blk#1"));
}

TEST(PlaceHistory, WhatWasSeenInsideAClosedBoxIsSeenAsLargeOnceThatIsOpen)
{
    const auto snapshot = test::exampleSnapshot();
    const auto inside = test::withInsides(*test::makePicture(snapshot, {}), {"blk"});
    const auto open = test::makePicture(snapshot, {"blk"});
    const int relu = test::boxOfNode(*inside, NodeId(2));
    const GraphPlace place = placeOf(*inside, inside->frame(relu).center(), 8);
    EXPECT_DOUBLE_EQ(zoomOf(*inside, place), 8);
    EXPECT_DOUBLE_EQ(zoomOf(*open, place), 8 * inside->scale(relu));
}

TEST(PlaceHistory, GoesBackAndForwardAndForgetsWhatWasAhead)
{
    const auto at = [](double zoom) {
        GraphPlace place;
        place.zoom = zoom;
        return place;
    };
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
