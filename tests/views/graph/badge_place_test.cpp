// SPDX-License-Identifier: Apache-2.0
#include "views/graph/badge_place.h"

#include "tests/views/support/drawn_texts.h"
#include "tests/views/support/picture_builder.h"
#include "tests/views/support/snapshot_builder.h"
#include "views/graph/graph_painter.h"

#include <QImage>
#include <QPainter>

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(BadgePlace, TextFromAfarStandsOnItsBadge)
{
    constexpr double kZoom = 0.5; // letters do not get smaller than can be read
    auto picture = std::make_shared<Picture>(*test::makePicture(test::exampleSnapshot(), {}));
    for (ViewEdge& edge : picture->graph.edges)
        edge.badge = "u8 1/2";
    picture->layout.lines.front() = {{200, 0}, {200, 300}}; // room for all of it
    GraphPainter graph;
    graph.setTheme(lightTheme());
    graph.setPicture(picture, QFont());
    const QSize size(400, 400);
    QImage image(size, QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    test::TextRecorder recorder(size);
    for (QPaintDevice* device : {static_cast<QPaintDevice*>(&image), static_cast<QPaintDevice*>(&recorder)}) {
        QPainter painter(device);
        painter.scale(kZoom, kZoom);
        graph.paint(painter, GraphPainter::Layer::Edges, QRectF(0, 0, 800, 800), kZoom);
    }
    const auto text = std::ranges::find(recorder.texts(), QStringLiteral("u8 1/2"), &test::DrawnText::text);
    ASSERT_NE(text, recorder.texts().end());
    const QPoint center = text->rect.center().toPoint();
    for (const double x : {text->rect.left() + 1, text->rect.right() - 1})
        EXPECT_EQ(image.pixelColor(static_cast<int>(x), center.y()).alpha(), 255) << x;
}

} // namespace
} // namespace duo::ui
