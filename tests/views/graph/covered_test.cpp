// SPDX-License-Identifier: Apache-2.0
#include "views/graph/covered.h"

#include "tests/views/support/picture_builder.h"
#include "tests/views/support/snapshot_builder.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

TEST(CoveredIn, CountsClosedBoxesTitlesOfOpenOnesAndLines)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {"blk"});
    const Detail detail(*picture, 1);
    const QRectF closed = picture->frame(test::boxOfNode(*picture, NodeId(0)));
    EXPECT_GE(coveredIn(*picture, detail, closed), 0.99 * closed.width() * closed.height());
    const QRectF open = picture->frame(picture->boxOfKey("blk"));
    const QRectF title(open.topLeft(), QSizeF(20, 10));
    EXPECT_GE(coveredIn(*picture, detail, title), 20 * 10);
    const Point start = picture->layout.lines.front().front();
    EXPECT_GT(coveredIn(*picture, detail, QRectF(start.x - 5, start.y + 1, 10, 5)), 0);
    EXPECT_EQ(coveredIn(*picture, detail, picture->bounds().translated(10000, 0)), 0);
}

TEST(CoveredIn, CountsABoxThatIsDrawnClosedOnce)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {"blk"});
    const Detail afar(*picture, 0.02);
    const QRectF box = picture->frame(picture->boxOfKey("blk"));
    ASSERT_EQ(afar.look(picture->boxOfKey("blk")), Detail::Look::Closed);
    const QRectF inside(box.center(), QSizeF(4, 4));
    EXPECT_EQ(coveredIn(*picture, afar, inside), 4 * 4) << "what is inside it is not drawn";
}

TEST(CoveredIn, BordersOfOpenBoxesCountAsLines)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {"blk"});
    const QRectF open = picture->frame(picture->boxOfKey("blk"));
    const QRectF corner(open.bottomLeft() - QPointF(5, 5), QSizeF(10, 10));
    EXPECT_EQ(bordersCoveredIn(*picture, Detail(*picture, 1), corner), 4 * (5 + 5));
    EXPECT_EQ(bordersCoveredIn(*picture, Detail(*picture, 1), {open.center(), QSizeF(4, 4)}), 0);
    EXPECT_EQ(bordersCoveredIn(*picture, Detail(*picture, 0.02), corner), 0) << "it is drawn closed";
}

} // namespace
} // namespace duo::ui
