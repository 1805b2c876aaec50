// SPDX-License-Identifier: Apache-2.0
#include "views/graph/run_badges.h"

#include "tests/views/support/drawn_texts.h"
#include "tests/views/support/picture_builder.h"
#include "tests/views/support/snapshot_builder.h"
#include "views/graph/graph_painter.h"

#include <QPainter>

#include <gtest/gtest.h>

#include <algorithm>

namespace duo::ui {
namespace {

RunsOfNodes exampleRuns(const Snapshot& snapshot)
{
    const NodeRuns runs{{"/conv1/Conv", RunsAs::Int8, "QLinearConv", {}, {}},
        {"/blk/lin/Gemm", RunsAs::Float, "Gemm", Fallback::ScaledBias, "its beta is not 1"},
        {"/blk_1/lin/Gemm", RunsAs::Int8, "QGemm", {}, {}}, {"/dec/proj/Gemm", RunsAs::Int8, "QGemm", {}, {}}};
    return {std::make_shared<const NodeRuns>(runs), *snapshot.model};
}

std::vector<std::string> textsOf(const std::vector<RunBadge>& badges)
{
    std::vector<std::string> texts;
    for (const RunBadge& badge : badges) {
        if (!badge.text.isEmpty())
            texts.push_back(badge.text.toStdString());
    }
    return texts;
}

TEST(RunBadges, NodesAndClosedScopesSayWhatRunsInInt8)
{
    const auto snapshot = test::exampleSnapshot();
    const RunsOfNodes runs = exampleRuns(*snapshot);
    const auto closed = test::makePicture(snapshot, {});
    EXPECT_EQ(textsOf(runBadges(runs, *closed)), (std::vector<std::string>{"int8", "! 0/1 int8", "1 int8", "int8"}));
    EXPECT_EQ(runText(runs, *closed, closed->boxOfKey("blk")),
        QStringLiteral("0 of 1 planned run in int8\n/blk/lin/Gemm: Fell back to float (Gemm): its beta is not 1"));
    const auto open = test::makePicture(snapshot, {"blk"});
    EXPECT_EQ(textsOf(runBadges(runs, *open)), (std::vector<std::string>{"int8", "1 int8", "int8", "! float"}));
}

TEST(RunBadges, ABadgeIsAsSmallAsTheBoxInsideThatItStandsOn)
{
    constexpr double kZoom = 2.75;
    const auto snapshot = test::exampleSnapshot();
    const auto picture = test::withInsides(*test::makePicture(snapshot, {}), {"blk"});
    const int inside = test::boxOfNode(*picture, NodeId(1));
    ASSERT_LT(picture->scale(inside), 1);
    GraphPainter graph;
    graph.setTheme(lightTheme());
    graph.setPicture(picture, QFont());
    graph.setRuns(runBadges(exampleRuns(*snapshot), *picture));
    const QRectF whole(0, 0, picture->layout.size.width, picture->layout.size.height);
    test::TextRecorder recorder((whole.size() * kZoom).toSize());
    {
        QPainter painter(&recorder);
        painter.scale(kZoom, kZoom);
        graph.paint(painter, GraphPainter::Layer::Marks, whole, kZoom);
    }
    const auto heightOf = [&](const QString& text) {
        const auto drawn = std::ranges::find(recorder.texts(), text, &test::DrawnText::text);
        return drawn == recorder.texts().end() ? 0 : drawn->rect.height();
    };
    ASSERT_GT(heightOf(QStringLiteral("! float")), 0) << "of /blk/lin/Gemm, inside";
    EXPECT_NEAR(heightOf(QStringLiteral("! float")) / heightOf(QStringLiteral("int8")), picture->scale(inside), 0.02);
}

TEST(RunBadges, WhereNothingIsKnownThereIsNoBadge)
{
    const auto snapshot = test::exampleSnapshot();
    const RunsOfNodes runs(std::make_shared<const NodeRuns>(), *snapshot->model);
    EXPECT_TRUE(runs.isEmpty());
    EXPECT_TRUE(textsOf(runBadges(runs, *test::makePicture(snapshot, {}))).empty());
}

} // namespace
} // namespace duo::ui
