// SPDX-License-Identifier: Apache-2.0
#include "views/graph/edge_types.h"

#include "tests/views/graph/graph_view_fixture.h"
#include "tests/views/support/picture_builder.h"
#include "tests/views/support/snapshot_builder.h"

#include <QCoreApplication>
#include <QHelpEvent>
#include <QToolTip>

#include <gtest/gtest.h>

#include <algorithm>

namespace duo::ui {
namespace {

/// Every value is float32 [N, 4].
ValueTypes typesOf(const Model& model)
{
    ValueTypes types;
    for (std::size_t v = 0; v < model.values.size(); ++v)
        types.types.push_back({ElementType::Float32, std::vector<Dim>{{{}, "N"}, {4, {}}}});
    return types;
}

TEST(EdgeTypes, StandBesideEveryEdgeOfAChain)
{
    const auto snapshot
        = test::makeSnapshot({{"/a", "Relu", "", {}, {}}, {"/b", "Relu", "", {}, {}}, {"/c", "Relu", "", {}, {}}});
    const auto picture = test::makePicture(snapshot, {});
    const EdgeTypes labels(*picture, typesOf(*snapshot->model), QFont());
    ASSERT_EQ(labels.labels().size(), 3U); // a, b, and c to the output; the box of the input says its own
    for (const auto& label : labels.labels()) {
        EXPECT_EQ(label.text, QStringLiteral("float32 [N, 4]"));
        for (const auto& other : labels.labels())
            EXPECT_TRUE(&label == &other || !label.rect.intersects(other.rect));
    }
}

TEST(EdgeTypes, TheTipOfALineSaysWhatFlowsFromWhereToWhere)
{
    const auto snapshot = test::makeSnapshot({{"/a", "Relu", "", {}, {}}, {"/b", "Sigmoid", "", {}, {}}});
    Picture picture = *test::makePicture(snapshot, {});
    const auto inner = std::ranges::find_if(picture.graph.edges, [&](const ViewEdge& edge) {
        return picture.graph.boxes[edge.from].title == "Relu" && picture.graph.boxes[edge.to].title == "Sigmoid";
    });
    ASSERT_NE(inner, picture.graph.edges.end());
    const QString name = QString::fromStdString(snapshot->model->value(inner->value).name);
    const ValueTypes types = typesOf(*snapshot->model);
    EXPECT_EQ(
        edgeTip(picture, *inner, &types), QStringLiteral("From Relu /a to Sigmoid /b\n%1\nfloat32 [N, 4]").arg(name));
    inner->badge = "u8 2/3";
    inner->values = 3;
    EXPECT_EQ(edgeTip(picture, *inner, nullptr),
        QStringLiteral("From Relu /a to Sigmoid /b\n3 values, this one first:\n%1\nits type is being found out\n"
                       "Quantizer u8 2/3")
            .arg(name));
}

TEST(EdgeTypes, TheTipOfALineNamesAClosedScopeByItsPath)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {});
    const auto& edges = picture->graph.edges;
    const auto into
        = std::ranges::find_if(edges, [&](const ViewEdge& edge) { return picture->graph.boxes[edge.to].key == "blk"; });
    ASSERT_NE(into, edges.end());
    EXPECT_TRUE(edgeTip(*picture, *into, nullptr).split(QLatin1Char('\n')).front().endsWith(QStringLiteral(" to blk")));
}

class EdgeTipOnTheScreen : public test::GraphViewFixture
{
};

TEST_F(EdgeTipOnTheScreen, PointingAtALineTellsWhatFlowsThere)
{
    m_view.setPicture(test::makePicture(m_snapshot, {"blk"}));
    const Picture& picture = *m_view.picture();
    const auto tipAt = [this](const QPointF& scene) {
        const QPoint place = m_view.viewportTransform().map(scene).toPoint();
        QHelpEvent help(QEvent::ToolTip, place, m_view.viewport()->mapToGlobal(place));
        QCoreApplication::sendEvent(m_view.viewport(), &help);
        return QToolTip::text();
    };
    int told = 0;
    for (std::size_t e = 0; e < picture.graph.edges.size(); ++e) {
        const auto& line = picture.layout.lines[e];
        const QPointF middle((line[0].x + line[1].x) / 2, (line[0].y + line[1].y) / 2);
        const int box = picture.boxAt(middle);
        if (box != Picture::kNoBox && !picture.graph.boxes[static_cast<std::size_t>(box)].open)
            continue;
        ASSERT_EQ(picture.edgeAt(middle, 0.5), &picture.graph.edges[e]);
        EXPECT_EQ(tipAt(middle), edgeTip(picture, picture.graph.edges[e], nullptr));
        ++told;
    }
    EXPECT_GT(told, 2);
    const int box = test::boxOfNode(picture, NodeId(1));
    const QString title = QString::fromStdString(picture.graph.boxes[static_cast<std::size_t>(box)].title);
    EXPECT_TRUE(tipAt(picture.frame(box).center()).contains(title + QLatin1Char('\n')))
        << QToolTip::text().toStdString();
}

TEST(EdgeTypes, FormulasOfDimensionsAreLeftOut)
{
    const auto snapshot = test::makeSnapshot({{"/a", "Relu", "", {}, {}}});
    ValueTypes types = typesOf(*snapshot->model);
    for (ValueType& type : types.types)
        type.shape->back() = {{}, "(floor(floor(height/2 - 1/2)/2) + 1)*width"};
    const EdgeTypes labels(*test::makePicture(snapshot, {}), types, QFont());
    ASSERT_EQ(labels.labels().size(), 1U);
    EXPECT_EQ(labels.labels().front().text, QStringLiteral("float32 [N, …]"));
}

TEST(EdgeTypes, LeaveRoomForTheBadgeOfAShortEdge)
{
    const auto snapshot = test::makeSnapshot({{"/a", "Relu", "", {}, {}}, {"/b", "Relu", "", {}, {}}});
    ui::Picture picture = *test::makePicture(snapshot, {});
    const auto typesAt = [&] {
        const EdgeTypes labels(picture, typesOf(*snapshot->model), QFont());
        return labels.labels().front().rect.left();
    };
    const double without = typesAt();
    for (ViewEdge& edge : picture.graph.edges)
        edge.badge = "u8";
    EXPECT_GE(typesAt() - without, QFontMetricsF(QFont()).horizontalAdvance(QStringLiteral("u8")) / 2);
    for (auto& line : picture.layout.lines)
        line.back().y += 1000; // its badge is far below
    EXPECT_EQ(typesAt(), without);
}

TEST(EdgeTypes, StandLeftOfTheLineWhereABoxIsInTheWay)
{
    const auto snapshot = test::makeSnapshot({{"/a", "Relu", "", {}, {}}, {"/b", "Relu", "", {}, {}}});
    ui::Picture picture = *test::makePicture(snapshot, {});
    const auto place = [&] {
        const EdgeTypes labels(picture, typesOf(*snapshot->model), QFont());
        return labels.labels().empty() ? QRectF() : labels.labels().front().rect;
    };
    const QRectF free = place();
    const Point start = picture.layout.lines[1].front();
    ASSERT_GT(free.left(), start.x);
    const auto putBoxAt = [&](const QRectF& rect) {
        ViewBox box;
        box.kind = ViewBox::Kind::Node;
        picture.graph.boxes.push_back(box);
        picture.layout.frames.push_back({{rect.left(), rect.top()}, {rect.width(), rect.height()}});
    };
    putBoxAt(free.adjusted(20, 0, 0, 0));
    const QRectF left = place();
    EXPECT_LT(left.right(), start.x);
    EXPECT_EQ(left.top(), free.top());
    putBoxAt(left.adjusted(0, 0, -20, 0));
    EXPECT_NE(place().top(), free.top()); // the first that is told is another edge's: here is no room
}

TEST(EdgeTypes, StandOnTheSideOfTheLineWhereNoOtherLineAndNoBadgeIs)
{
    const auto snapshot = test::makeSnapshot({{"/a", "Relu", "", {}, {}}, {"/b", "Relu", "", {}, {}}});
    ui::Picture picture = *test::makePicture(snapshot, {});
    const auto place = [&](std::span<const QRectF> badges) {
        return EdgeTypes(picture, typesOf(*snapshot->model), QFont(), badges).labels().front().rect;
    };
    const QRectF free = place({});
    const Point start = picture.layout.lines[1].front();
    ASSERT_GT(free.left(), start.x);
    const QRectF badge(free.center(), QSizeF(20, 10));
    EXPECT_LT(place(std::span(&badge, 1)).right(), start.x);
    const double x = free.center().x();
    picture.layout.lines.back() = {{x - 5, free.top() - 50}, {x + 5, free.bottom() + 50}}; // slanted
    EXPECT_LT(place({}).right(), start.x);
}

TEST(EdgeTypes, GoDownALongEdgeToWhereNoBorderIsInTheWay)
{
    const auto snapshot = test::makeSnapshot({{"/a", "Relu", "", {}, {}}, {"/b", "Relu", "", {}, {}}});
    ui::Picture picture = *test::makePicture(snapshot, {});
    const Point start = picture.layout.lines[1].front();
    picture.layout.lines[1] = {start, {start.x, start.y + 300}};
    picture.layout.lines[2] = {{0, 2000}, {0, 2300}};
    const auto label = [&] {
        const EdgeTypes labels(picture, typesOf(*snapshot->model), QFont());
        const auto found = std::ranges::find_if(
            labels.labels(), [&](const EdgeTypes::Label& one) { return one.rect.top() < start.y + 300; });
        return found == labels.labels().end() ? EdgeTypes::Label() : *found;
    };
    const QRectF atStart = label().rect;
    ASSERT_FALSE(atStart.isNull());
    ViewBox open;
    open.open = true;
    picture.graph.boxes.push_back(open);
    picture.layout.frames.push_back({{start.x - 500, atStart.center().y()}, {1000, 100}}); // its upper border
    EXPECT_GT(label().rect.top(), atStart.center().y());
    EXPECT_EQ(label().scale, 1);
    picture.layout.lines[1].back().y = start.y + 20;
    const auto small = label();
    EXPECT_LT(small.scale, 1) << "a short one has room for a smaller text";
    EXPECT_LT(small.rect.bottom(), picture.layout.frames.back().topLeft.y) << "above the border";
    picture.graph.boxes.back().open = false;
    picture.layout.frames.back().topLeft.y = start.y;
    EXPECT_TRUE(label().rect.isNull()) << "a box leaves none";
}

TEST(EdgeTypes, WhatIsDrawnSmallInsideABoxHasNone)
{
    const auto snapshot = test::makeSnapshot({{"/a", "Relu", "", {}, {}}, {"/b", "Relu", "", {}, {}}});
    ui::Picture picture = *test::makePicture(snapshot, {});
    picture.scales.assign(picture.graph.boxes.size(), 0.3);
    EXPECT_TRUE(EdgeTypes(picture, typesOf(*snapshot->model), QFont()).labels().empty());
}

TEST(EdgeTypes, AnUnknownShapeIsSaidToBeUnknown)
{
    const auto snapshot = test::makeSnapshot({{"/a", "Relu", "", {}, {}}});
    const auto picture = test::makePicture(snapshot, {});
    ValueTypes types = typesOf(*snapshot->model);
    for (ValueType& type : types.types)
        type.shape.reset();
    const EdgeTypes labels(*picture, types, QFont());
    ASSERT_FALSE(labels.labels().empty());
    EXPECT_EQ(labels.labels().front().text, QStringLiteral("float32 of unknown rank"));
}

TEST(EdgeTypes, TheEdgeOfAWeightsQuantizerHasNone)
{
    const auto snapshot = test::makeSnapshot({{"/a", "Relu", "", {}, {}}});
    ui::Picture picture = *test::makePicture(snapshot, {});
    picture.graph.edges.push_back({0, 1, {}, 1, ValueId()}); // as quantizer boxes make them
    picture.layout.lines.push_back({{0, 500}, {0, 550}});
    EXPECT_EQ(EdgeTypes(picture, typesOf(*snapshot->model), QFont()).labels().size(), 1U);
}

TEST(EdgeTypes, AreDrawnOnlyWhereTheyCanBeRead)
{
    const auto snapshot = test::makeSnapshot({{"/a", "Relu", "", {}, {}}});
    const auto picture = test::makePicture(snapshot, {});
    const EdgeTypes labels(*picture, typesOf(*snapshot->model), QFont());
    const auto inkAt = [&](double zoom) {
        QImage image(600, 600, QImage::Format_RGB32);
        image.fill(Qt::white);
        const QImage before = image;
        QPainter painter(&image);
        labels.paint(painter, picture->bounds(), zoom, lightTheme());
        painter.end();
        return image != before;
    };
    EXPECT_TRUE(inkAt(1));
    EXPECT_FALSE(inkAt(0.3));
}

TEST(EdgeTypes, SmallOnesAreDrawnWhereOneHasZoomedIn)
{
    const auto snapshot = test::makeSnapshot({{"/a", "Relu", "", {}, {}}});
    ui::Picture picture = *test::makePicture(snapshot, {});
    const Point start = picture.layout.lines[1].front();
    ViewBox open;
    open.open = true;
    picture.graph.boxes.push_back(open);
    picture.layout.frames.push_back({{start.x - 500, start.y + 12}, {1000, 500}}); // its upper border is in the way
    const EdgeTypes labels(picture, typesOf(*snapshot->model), QFont());
    ASSERT_EQ(labels.labels().size(), 1U);
    ASSERT_LT(labels.labels().front().scale, 1);
    EXPECT_TRUE(labels.bounds(1).isNull());
    EXPECT_EQ(labels.bounds(4), labels.labels().front().rect);
}

} // namespace
} // namespace duo::ui
