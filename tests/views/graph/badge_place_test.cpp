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

/// The middle of the badge; nothing where it has no place.
std::optional<QPointF> placeBeside(const QPolygonF& line, const std::vector<QRectF>& taken)
{
    const auto rect = badgePlace(line, kBadge, [&](const QRectF& place) {
        return std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(place); });
    });
    return rect ? std::optional(rect->center()) : std::nullopt;
}

TEST(BadgePlace, IsTheMiddleOfItsEdge)
{
    EXPECT_EQ(placeBeside(kDown, {}), QPointF(50, 50));
    EXPECT_EQ(placeBeside(QPolygonF(QList<QPointF>{{0, 0}, {10, 0}, {10, 30}}), {}), QPointF(10, 10));
    EXPECT_EQ(placeBeside(kDown, {QRectF(0, 40, 39, 20)}), QPointF(50, 50)); // a title beside it
}

TEST(BadgePlace, LeavesTheTitleOfTheScopeItEntersFree)
{
    const QRectF title(30, 40, 40, 24);
    EXPECT_EQ(placeBeside(kDown, {title}), QPointF(50, 34)); // above: nearer than below
    EXPECT_EQ(placeBeside(kDown, {title, QRectF(30, 0, 40, 40)}), QPointF(50, 70)); // two scopes entered at once
}

TEST(BadgePlace, IsNowhereWhereTitlesAreEverywhere)
{
    EXPECT_EQ(placeBeside(kDown, {QRectF(0, 0, 100, 100)}), std::nullopt);
}

TEST(BadgePlace, BadgesOfEdgesThatRunAlongEachOtherStandApart)
{
    Picture picture = *test::makePicture(test::exampleSnapshot(), {});
    picture.graph.edges.resize(2);
    for (ViewEdge& edge : picture.graph.edges)
        edge.badge = "u8";
    const auto badgesAt = [&](double length, double zoom) {
        picture.layout.lines.assign(2, {{900, 0}, {900, length}});
        GraphPainter graph;
        graph.setPicture(std::make_shared<Picture>(picture), QFont());
        return graph.badges(zoom);
    };
    for (const double zoom : {0.5, 1.0, 3.0}) {
        const auto badges = badgesAt(300, zoom);
        ASSERT_EQ(badges.size(), 2U) << zoom;
        EXPECT_FALSE(badges[0].rect.intersects(badges[1].rect)) << zoom;
        EXPECT_EQ(badgesAt(10, zoom).size(), 1U) << "no room for both";
    }
}

TEST(BadgePlace, KeepsOffTheCornersOfBoxesItsEdgeRunsBy)
{
    Picture picture = *test::makePicture(test::exampleSnapshot(), {"blk"});
    const int passed = test::boxOfNode(picture, NodeId(1));
    const QRectF box = picture.frame(passed);
    auto& edge = picture.graph.edges.front();
    picture.graph.edges.resize(1);
    edge.badge = "u8";
    ASSERT_NE(static_cast<int>(edge.from), passed);
    ASSERT_NE(static_cast<int>(edge.to), passed);
    const double beside = box.right() + 4; // a badge is wider
    picture.layout.lines = {{{beside, box.center().y() - 60}, {beside, box.center().y() + 60}}};
    GraphPainter graph;
    graph.setPicture(std::make_shared<Picture>(picture), QFont());
    ASSERT_EQ(graph.badges(1).size(), 1U);
    EXPECT_LE(graph.badges(1).front().rect.intersected(box).height(), 2);
}

TEST(BadgePlace, LeavesTheArrowOfAShortLineFree)
{
    constexpr double kArrow = 4; // px of it that are seen
    Picture picture = *test::makePicture(test::exampleSnapshot(), {});
    picture.graph.edges.resize(1);
    picture.graph.edges.front().badge = "u8";
    for (const double length : {26.0, 40.0, 300.0}) {
        picture.layout.lines = {{{900, 0}, {900, length}}};
        GraphPainter graph;
        graph.setPicture(std::make_shared<Picture>(picture), QFont());
        ASSERT_EQ(graph.badges(1).size(), 1U) << length;
        EXPECT_LE(graph.badges(1).front().rect.bottom(), length - kArrow) << length;
    }
}

TEST(BadgePlace, OneBadgeIsEnoughWhereLinesOfOneValueRunAlongEachOther)
{
    Picture picture = *test::makePicture(test::exampleSnapshot(), {});
    picture.graph.edges.resize(2);
    picture.graph.edges[1].from = picture.graph.edges[0].from;
    picture.graph.edges[1].value = picture.graph.edges[0].value;
    const auto badges = [&](const std::string& first, const std::string& other, double where) {
        picture.graph.edges[0].badge = first;
        picture.graph.edges[1].badge = other;
        picture.layout.lines = {{{900, 0}, {900, 300}}, {{900, 0}, {where, 10}, {where, 300}}};
        GraphPainter graph;
        graph.setPicture(std::make_shared<Picture>(picture), QFont());
        return graph.badges(1).size();
    };
    EXPECT_EQ(badges("u8", "u8", 900), 1U);
    EXPECT_EQ(badges("u8", "u16", 900), 2U);
    EXPECT_EQ(badges("u8", "u8", 1000), 2U) << "they part before";
}

TEST(BadgePlace, LeavesATitleFreeThatIsLargerFromAfar)
{
    Picture picture = *test::makePicture(test::exampleSnapshot(), {"blk"});
    const QRectF frame = picture.frame(picture.boxOfKey("blk"));
    picture.graph.edges.resize(1);
    picture.graph.edges.front().badge = "u8";
    picture.layout.lines = {{{frame.left() + 30, frame.top() - 30}, {frame.left() + 30, frame.top() + 40}}};
    for (const double zoom : {0.55, 1.0}) {
        GraphPainter graph;
        graph.setTheme(lightTheme());
        graph.setPicture(std::make_shared<Picture>(picture), QFont());
        test::TextRecorder recorder(QSize(2000, 2000));
        QPainter painter(&recorder);
        painter.scale(zoom, zoom);
        for (const auto layer : {GraphPainter::Layer::Frames, GraphPainter::Layer::Edges})
            graph.paint(painter, layer, picture.bounds(), zoom);
        painter.end();
        const auto title = std::ranges::find(recorder.texts(), QStringLiteral("blk"), &test::DrawnText::text);
        ASSERT_NE(title, recorder.texts().end());
        for (const GraphPainter::Badge& badge : graph.badges(zoom)) {
            const QRectF shown(badge.rect.topLeft() * zoom, badge.rect.size() * zoom);
            EXPECT_FALSE(shown.intersects(title->rect)) << zoom;
        }
    }
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
