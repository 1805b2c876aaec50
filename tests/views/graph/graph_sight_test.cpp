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

} // namespace
} // namespace duo::ui
