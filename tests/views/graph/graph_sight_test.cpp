// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_sight.h"

#include "tests/views/support/picture_builder.h"
#include "tests/views/support/snapshot_builder.h"
#include "views/graph/graph_view.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

TEST(GraphSight, IsFoundAgainInAnotherViewOfTheSamePicture)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {"blk"});
    GraphView before;
    EXPECT_FALSE(sightOf(before));
    before.resize(300, 200);
    before.show();
    before.setPicture(picture);
    before.zoomTo(1.5);
    before.centerOn(picture->bounds().center());
    const auto sight = sightOf(before);
    ASSERT_TRUE(sight);
    EXPECT_FALSE(sight->box.empty());
    EXPECT_DOUBLE_EQ(sight->zoom, 1.5);

    GraphView after;
    after.resize(300, 200);
    after.show();
    after.setPicture(picture);
    goToSight(after, *sight);
    EXPECT_DOUBLE_EQ(after.zoom(), 1.5);
    const auto middle = [](const GraphView& view) { return view.mapToScene(view.viewport()->rect().center()); };
    EXPECT_LE((middle(after) - middle(before)).manhattanLength(), 2);
    const QPointF stays = middle(after);
    goToSight(after, {"no such box", {}, 3});
    EXPECT_DOUBLE_EQ(after.zoom(), 1.5);
    EXPECT_EQ(middle(after), stays);
}

TEST(GraphSight, DoesNotGoAstrayAsMessagesComeAndGo)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {"blk"});
    const QPointF wanted = picture->bounds().center() + QPointF(7, 5);
    GraphSight sight{"blk", wanted - picture->frame(picture->boxOfKey("blk")).topLeft(), 1.37, false};
    for (int opened = 0; opened < 20; ++opened) {
        GraphView view;
        view.resize(501, 401);
        view.show();
        view.setPicture(picture);
        goToSight(view, sight);
        for (const int height : {366, 401, 366})
            view.resize(501, height);
        sight = *sightOf(view);
    }
    const QPointF seen = picture->frame(picture->boxOfKey(sight.box)).topLeft() + sight.middle;
    EXPECT_LE((seen - wanted).manhattanLength(), 2);
}

TEST(GraphSight, OfTheWholeIsTheWholeInAnotherPane)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {"blk"});
    GraphView before;
    before.setPicture(picture);
    before.zoomTo(3);
    EXPECT_FALSE(sightOf(before)->isWhole);
    before.fit();
    ASSERT_TRUE(sightOf(before)->isWhole);
    GraphView after;
    after.resize(200, 150);
    after.show();
    after.setPicture(picture);
    after.zoomTo(3);
    goToSight(after, *sightOf(before));
    EXPECT_TRUE(after.isWhole());
    EXPECT_LT(after.zoom(), 1);
}

} // namespace
} // namespace duo::ui
