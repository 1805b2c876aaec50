// SPDX-License-Identifier: Apache-2.0
#include "core/graph/picture_cost.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

/// A view and its picture.
struct Drawn {
    ViewGraph view;
    PictureLayout picture;

    explicit Drawn(Size size) { picture.size = size; }

    void add(Point topLeft, Size size, bool isOpen = false)
    {
        view.boxes.emplace_back();
        view.boxes.back().open = isOpen;
        picture.frames.push_back({topLeft, size});
    }
};

TEST(PictureCost, APaneIsFilledAsFarAsItsShapeIsThePictures)
{
    EXPECT_DOUBLE_EQ(filledShare({200, 100}, 2), 1);
    EXPECT_DOUBLE_EQ(filledShare({100, 100}, 2), 0.5);
    EXPECT_DOUBLE_EQ(filledShare({100, 100}, 0.5), 0.5);
    EXPECT_DOUBLE_EQ(filledShare({0, 0}, 1), 0);
}

TEST(PictureCost, WhatIsInAnOpenBoxWithoutBoxesOrLinesIsEmpty)
{
    Drawn drawn({320, 320});
    EXPECT_DOUBLE_EQ(largestEmptyShare(drawn.view, drawn.picture, 1), 1);
    drawn.add({0, 0}, {320, 320}, true);
    drawn.add({0, 0}, {319, 159});
    EXPECT_DOUBLE_EQ(largestEmptyShare(drawn.view, drawn.picture, 1), 0.5);
    drawn.picture.lines = {{{165, 160}, {165, 320}}}; // down the middle
    EXPECT_DOUBLE_EQ(largestEmptyShare(drawn.view, drawn.picture, 1), 0.25);
}

TEST(PictureCost, WhatIsBesideThePictureIsEmptyToo)
{
    Drawn drawn({160, 320});
    drawn.add({0, 0}, {159, 320});
    EXPECT_DOUBLE_EQ(largestEmptyShare(drawn.view, drawn.picture, 1), 0.25) << "left or right of it";
}

TEST(PictureCost, LinesTurnWhereTheyLeadUpOnTheirWayDown)
{
    PictureLayout picture;
    EXPECT_EQ(turnedShare(picture), 0);
    picture.lines
        = {{{0, 0}, {0, 9}}, {{0, 9}, {0, 0}}, {{0, 0}, {0, 9}, {9, 9}, {9, 0}, {20, 0}, {20, 5}}, {{0, 0}, {9, 0}}};
    EXPECT_DOUBLE_EQ(turnedShare(picture), 0.25);
}

TEST(PictureCost, ALargerPictureIsWorthMoreThanOneWithoutEmptyParts)
{
    Drawn full({320, 320});
    full.add({0, 0}, {320, 320});
    Drawn half = full;
    half.picture.frames.front().size = {320, 160};
    EXPECT_LT(pictureCost(full.view, full.picture, 1), pictureCost(half.view, half.picture, 1));
    half.picture.size = {270, 270};
    half.picture.frames.front().size = {270, 135};
    EXPECT_GT(pictureCost(full.view, full.picture, 1), pictureCost(half.view, half.picture, 1));
    half.picture.size = {150, 270}; // leaves much of the pane empty
    EXPECT_LT(pictureCost(full.view, full.picture, 1), pictureCost(half.view, half.picture, 1));
}

} // namespace
} // namespace duo
