// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_painter.h"

#include "tests/views/support/drawn_texts.h"
#include "tests/views/support/picture_builder.h"
#include "tests/views/support/snapshot_builder.h"

#include <QPicture>

#include <gtest/gtest.h>

#include <algorithm>

namespace duo::ui {
namespace {

/// What is written in boxes and on edges at a zoom.
std::vector<test::DrawnText> textsAt(const std::shared_ptr<const Picture>& picture, double zoom)
{
    GraphPainter graph;
    graph.setTheme(lightTheme());
    graph.setPicture(picture, QFont());
    test::TextRecorder recorder((picture->bounds().size() * zoom).toSize());
    QPainter painter(&recorder);
    painter.scale(zoom, zoom);
    for (const auto layer : {GraphPainter::Layer::Frames, GraphPainter::Layer::Edges, GraphPainter::Layer::Boxes})
        graph.paint(painter, layer, picture->bounds(), zoom);
    painter.end();
    return recorder.texts();
}

TEST(GraphPainter, TheCountOfAClosedScopeStandsAboveTheBarOfItsShare)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {});
    const int blk = picture->boxOfKey("blk");
    const QString count = QString::fromStdString(picture->graph.boxes[static_cast<std::size_t>(blk)].subtitle);
    constexpr double kBar = 2; // px on the screen, at least, and half of it below
    for (const double zoom : {0.5, 0.6, 0.8, 1.0}) {
        const auto texts = textsAt(picture, zoom);
        const auto text = std::ranges::find(texts, count, &test::DrawnText::text);
        ASSERT_NE(text, texts.end()) << zoom;
        EXPECT_LE(text->rect.bottom(), picture->frame(blk).bottom() * zoom - 1.5 * kBar) << zoom;
    }
}

TEST(GraphPainter, TextDoesNotGrowWithoutLimit)
{
    auto picture = std::make_shared<Picture>(*test::makePicture(test::exampleSnapshot(), {"blk"}));
    for (ViewEdge& edge : picture->graph.edges)
        edge.badge = "u8";
    picture->layout.lines.front() = {{200, 0}, {200, 300}}; // room for its badge
    constexpr double kZoom = 8;
    const auto texts = textsAt(picture, kZoom);
    EXPECT_NE(std::ranges::find(texts, QStringLiteral("u8"), &test::DrawnText::text), texts.end());
    for (const test::DrawnText& text : texts)
        EXPECT_LE(text.pixels, kMostText + 0.01) << text.text.toStdString();
    GraphPainter graph;
    graph.setPicture(picture, QFont());
    ASSERT_FALSE(graph.badges(kZoom).empty());
    EXPECT_LE(graph.badges(kZoom).front().rect.height() * kZoom, 2 * kMostText);
}

/// All that is drawn to mark boxes at a zoom.
QByteArray marksAt(const std::shared_ptr<const Picture>& picture, double zoom, std::vector<int> marked,
    std::vector<int> previewed = {})
{
    GraphPainter graph;
    graph.setTheme(lightTheme());
    graph.setPicture(picture, QFont());
    graph.setMarked(std::move(marked));
    graph.setPreviewed(std::move(previewed));
    QPicture drawn;
    QPainter painter(&drawn);
    graph.paint(painter, GraphPainter::Layer::Marks, picture->bounds(), zoom);
    painter.end();
    return {drawn.data(), drawn.size()};
}

TEST(GraphPainter, ABoxIsMarkedOnceHoweverManyItHides)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {"blk"});
    const int blk = picture->boxOfKey("blk");
    const std::vector inside{blk, test::boxOfNode(*picture, NodeId(1)), test::boxOfNode(*picture, NodeId(2))};
    constexpr double kNear = 1;
    constexpr double kFar = 0.1;
    EXPECT_NE(marksAt(picture, kNear, inside), marksAt(picture, kNear, {blk}));
    EXPECT_EQ(marksAt(picture, kFar, inside), marksAt(picture, kFar, {blk}));
    EXPECT_EQ(marksAt(picture, kFar, {}, inside), marksAt(picture, kFar, {}, {blk}));
}

} // namespace
} // namespace duo::ui
