// SPDX-License-Identifier: Apache-2.0
#include "core/graph/short_exits.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using Line = std::vector<Point>;

/// Down at the right of an open box, left to where that was entered, out of it, and to the right of where it began.
const Line kDetour{{200, 0}, {200, 100}, {50, 100}, {50, 108}, {50, 130}, {300, 130}, {300, 20}};
const Line kShort{{200, 0}, {200, 130}, {300, 130}, {300, 20}};

/// After kDetour beside another line, whose boxes stand elsewhere, and a box.
Line shortened(const Line& other, const PictureLayout::Frame& box, bool isSameSource = false)
{
    ViewGraph view;
    view.boxes.resize(5);
    view.edges.resize(2);
    view.edges[0].from = 0;
    view.edges[0].to = 1;
    view.edges[1].from = isSameSource ? 0 : 2;
    view.edges[1].to = 3;
    PictureLayout picture;
    picture.frames.assign(5, {{-500, -500}, {10, 10}});
    picture.frames[4] = box;
    picture.lines = {kDetour, other};
    shortenExitsInPlace(view, picture);
    EXPECT_EQ(picture.lines[1], other);
    return picture.lines[0];
}

const Line kElsewhere{{0, 300}, {400, 300}};
const PictureLayout::Frame kFarBox{{400, 400}, {50, 50}};

TEST(ShortExits, WhatLeadsBackOnlyToLeaveABoxGoesStraightDown)
{
    EXPECT_EQ(shortened(kElsewhere, kFarBox), kShort);
}

TEST(ShortExits, NoLineIsCrossedAndNoneRunsBeside)
{
    EXPECT_EQ(shortened({{230, 60}, {230, 116}, {20, 116}}, kFarBox), kDetour) << "crossed";
    EXPECT_EQ(shortened({{202, 90}, {202, 180}}, kFarBox), kDetour) << "beside";
    EXPECT_EQ(shortened({{100, 120}, {300, 112}}, kFarBox), kDetour) << "slanted";
    EXPECT_EQ(shortened({{100, 120}, {150, 112}}, kFarBox), kShort) << "it ends before";
    EXPECT_EQ(shortened({{200, 90}, {200, 180}}, kFarBox, true), kShort) << "it leads the same";
}

TEST(ShortExits, NoBoxIsInTheWay)
{
    EXPECT_EQ(shortened(kElsewhere, {{180, 110}, {40, 10}}), kDetour);
    EXPECT_EQ(shortened(kElsewhere, {{210, 110}, {40, 10}}), kShort) << "beside it";
}

TEST(ShortExits, OtherWaysStayAsTheyAre)
{
    for (const Line& line : {Line{{200, 0}, {200, 100}, {50, 100}, {50, 130}}, // goes on below
             Line{{200, 0}, {200, 100}, {50, 100}, {50, 130}, {150, 130}}, // not beyond where it came from
             Line{{200, 0}, {200, 100}, {50, 100}, {50, 400}, {300, 400}}, // past what may stand there
             Line{{200, 0}, {200, 100}}, Line{}}) {
        ViewGraph view;
        view.boxes.resize(2);
        view.edges.resize(1);
        PictureLayout picture;
        picture.frames.assign(2, {{-500, -500}, {10, 10}});
        picture.lines = {line};
        shortenExitsInPlace(view, picture);
        EXPECT_EQ(picture.lines[0], line);
    }
}

} // namespace
} // namespace duo
