// SPDX-License-Identifier: Apache-2.0
#include "views/graph/box_sizes.h"

#include "tests/core/graph/node_box.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

using test::nodeBox;

TEST(BoxSizes, ABoxWithATitleAloneIsALineHigh)
{
    TextWidths widths;
    widths.ascii.assign(128, 8);
    widths.lineHeight = 14;
    const BoxSizes sizes = boxSizes(widths);
    const double alone = sizes(nodeBox("Cast", "/bert/Cast_1", "bert")).height;
    EXPECT_LT(alone, sizes(nodeBox("Cast", "/bert/Cast_1", "model")).height);
    EXPECT_EQ(alone, sizes(nodeBox("Cast", "")).height);
}

/// So pictures are the same where no font has such letters: they stand for all that is not ASCII.
TEST(BoxSizes, AWideLetterTakesAsMuchAsItIsHigh)
{
    QFont font;
    font.setPixelSize(20);
    EXPECT_GE(measureText(font).other, 20);
}

} // namespace
} // namespace duo::ui
