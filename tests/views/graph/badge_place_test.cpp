// SPDX-License-Identifier: Apache-2.0
#include "views/graph/badge_place.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

const QPolygonF kDown(QList<QPointF>{{50, 0}, {50, 100}});
const QSizeF kBadge(20, 10);

TEST(BadgePlace, IsTheMiddleOfItsEdge)
{
    EXPECT_EQ(badgePlace(kDown, kBadge, {}), QPointF(50, 50));
    EXPECT_EQ(badgePlace(QPolygonF(QList<QPointF>{{0, 0}, {10, 0}, {10, 30}}), kBadge, {}), QPointF(10, 10));
    EXPECT_EQ(badgePlace(kDown, kBadge, {QRectF(0, 40, 39, 20)}), QPointF(50, 50)); // a title beside it
}

TEST(BadgePlace, LeavesTheTitleOfTheScopeItEntersFree)
{
    const QRectF title(30, 40, 40, 24);
    const QPointF place = badgePlace(kDown, kBadge, {title});
    EXPECT_EQ(place, QPointF(50, 34)); // above: nearer than below
    EXPECT_EQ(badgePlace(kDown, kBadge, {title, QRectF(30, 0, 40, 40)}), QPointF(50, 70)); // two scopes entered at once
}

TEST(BadgePlace, IsTheMiddleWhereTitlesAreEverywhere)
{
    EXPECT_EQ(badgePlace(kDown, kBadge, {QRectF(0, 0, 100, 100)}), QPointF(50, 50));
    EXPECT_EQ(badgePlace({}, kBadge, {}), QPointF());
}

} // namespace
} // namespace duo::ui
