// SPDX-License-Identifier: Apache-2.0
#include "views/graph/box_sizes.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

ViewBox node(const std::string& type, const std::string& name, const std::string& around = {})
{
    ViewBox box;
    box.title = type;
    box.subtitle = name;
    box.around = around;
    return box;
}

TEST(BoxSizes, ABoxWithATitleAloneIsALineHigh)
{
    TextWidths widths;
    widths.ascii.assign(128, 8);
    widths.lineHeight = 14;
    const BoxSizes sizes = boxSizes(widths);
    const double alone = sizes(node("Cast", "/bert/Cast_1", "bert")).height;
    EXPECT_LT(alone, sizes(node("Cast", "/bert/Cast_1", "model")).height);
    EXPECT_EQ(alone, sizes(node("Cast", "")).height);
}

} // namespace
} // namespace duo::ui
