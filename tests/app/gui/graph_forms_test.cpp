// SPDX-License-Identifier: Apache-2.0
// The graph before, after and as run in the real window.
#include "tests/app/gui/rules_window.h"
#include "views/graph/graph_sight.h"
#include "views/graph/graph_strip.h"
#include "views/style/format.h"

#include <QStatusBar>
#include <QToolButton>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class FormsWindow : public RulesWindow
{
protected:
    ui::GraphStrip* strip() { return m_driver.find<ui::GraphStrip>("graphStrip"); }
    QToolButton* segment(const char* action)
    {
        return m_driver.find<QToolButton>((std::string(action) + ":segment").c_str());
    }
    bool shows(GraphForm form)
    {
        return WindowDriver::waitFor([&] { return graph()->picture() && graph()->picture()->form == form; });
    }
    /// On the screen: what stands above the graph may take more room or less.
    QPoint placeOf(const std::string& name) { return graph()->viewport()->mapToGlobal(middleOfNode(name)); }
    [[nodiscard]] QString titleOf(const std::string& name)
    {
        const auto boxes = graph()->picture()->boxesOf(ui::selectNode(node(name)));
        return boxes.empty()
            ? QString()
            : QString::fromStdString(graph()->picture()->graph.boxes[static_cast<std::size_t>(boxes.front())].title);
    }
};

TEST_F(FormsWindow, KeysAndSegmentsShowTheSameModelInThreeForms)
{
    ASSERT_TRUE(strip()->isVisible());
    EXPECT_TRUE(segment("actionShowCompressed")->isChecked());
    m_driver.key(graph(), Qt::Key_F7);
    ASSERT_TRUE(shows(GraphForm::Original));
    EXPECT_TRUE(segment("actionShowOriginal")->isChecked());
    EXPECT_FALSE(segment("actionShowCompressed")->isChecked());
    const auto& boxes = graph()->picture()->graph.boxes;
    EXPECT_TRUE(std::ranges::all_of(boxes, [](const ViewBox& box) { return box.badge.empty(); }));
    QTest::mouseClick(segment("actionShowAsRun"), Qt::LeftButton);
    ASSERT_TRUE(shows(GraphForm::AsRun));
    EXPECT_TRUE(strip()->about().contains(QStringLiteral("Nothing was exported yet.")))
        << strip()->about().toStdString();
    m_driver.key(graph(), Qt::Key_F8);
    ASSERT_TRUE(shows(GraphForm::Compressed));
    EXPECT_EQ(strip()->about(), QString());
}

TEST_F(FormsWindow, FunctionsThatAModelComesWithAreScopesInTheOriginal)
{
    ASSERT_TRUE(m_driver.open(std::filesystem::path(DUO_TEST_DATA) / "exports" / "functions.onnxscript.onnx"));
    m_driver.key(graph(), Qt::Key_F7);
    ASSERT_TRUE(shows(GraphForm::Original));
    const auto& boxes = graph()->picture()->graph.boxes;
    for (const char* call : {"Block", "Block_1"}) {
        const auto box = std::ranges::find(boxes, call, &ViewBox::key);
        ASSERT_NE(box, boxes.end()) << call;
        EXPECT_EQ(box->kind, ViewBox::Kind::Scope);
        EXPECT_EQ(box->total, 18); // all but Constants
    }
}

/// Before transforms it has more nodes: in the scopes that are open after them they may be too small to be drawn.
TEST_F(FormsWindow, BoxesThatAreOpenAreChosenForTheFormUnlessSomebodyLooksAtAPart)
{
    ASSERT_TRUE(m_driver.open(std::filesystem::path(DUO_TEST_DATA) / "cases" / "i3_bertlike_nofold.onnx"));
    const auto openFor = [&] { return graph()->picture()->openFor; };
    const QRectF bounds = graph()->picture()->bounds();
    m_driver.key(graph(), Qt::Key_F7);
    ASSERT_TRUE(shows(GraphForm::Original));
    EXPECT_EQ(openFor(), GraphForm::Original);
    m_driver.key(graph(), Qt::Key_F8);
    ASSERT_TRUE(shows(GraphForm::Compressed));
    EXPECT_EQ(openFor(), GraphForm::Compressed);
    EXPECT_EQ(graph()->picture()->bounds(), bounds) << "as it was";
    graph()->zoomTo(2);
    m_driver.key(graph(), Qt::Key_F7);
    ASSERT_TRUE(shows(GraphForm::Original));
    EXPECT_EQ(openFor(), GraphForm::Compressed);
    graph()->goToWhole();
    EXPECT_TRUE(WindowDriver::waitFor([&] { return openFor() == GraphForm::Original; }));
}

TEST_F(FormsWindow, TheWholeIsShownSoThatItCanBeReadWhateverWasOpened)
{
    ASSERT_TRUE(m_driver.open(std::filesystem::path(DUO_TEST_DATA) / "cases" / "tv_vit_b_16_small.onnx"));
    for (std::size_t depth = 0; depth < 12 && !graph()->isBlank(); ++depth) { // all that is closed, again and again
        std::set<std::string> closed;
        for (const ViewBox& box : graph()->picture()->graph.boxes) {
            if (!box.open && !box.key.empty())
                closed.insert(box.key);
        }
        if (closed.empty())
            break;
        const ui::Picture* before = graph()->picture();
        Q_EMIT graph()->openRequested(closed);
        ASSERT_TRUE(WindowDriver::waitFor([&] { return graph()->picture() != before; }));
        graph()->fit();
    }
    ASSERT_TRUE(graph()->isBlank()) << "or nothing is shown here";
    const auto opened = graph()->picture()->open;
    m_driver.key(graph(), Qt::Key_F9);
    ASSERT_TRUE(shows(GraphForm::AsRun));
    EXPECT_TRUE(WindowDriver::waitFor([&] { return !graph()->isBlank(); })) << "nobody has opened so much of this form";
    m_driver.key(graph(), Qt::Key_F8);
    ASSERT_TRUE(shows(GraphForm::Compressed));
    EXPECT_EQ(graph()->picture()->open, opened) << "as it was left";
    ASSERT_TRUE(graph()->isBlank());
    graph()->goToWhole();
    EXPECT_TRUE(WindowDriver::waitFor([&] { return !graph()->isBlank(); }));
    EXPECT_TRUE(graph()->isWhole());
}

TEST_F(FormsWindow, WhoComesBackToAFormFindsItAsHeLeftIt)
{
    ASSERT_TRUE(m_driver.open(std::filesystem::path(DUO_TEST_DATA) / "cases" / "i3_bertlike_nofold.onnx"));
    graph()->zoomTo(1.7);
    QTest::qWait(1); // scroll bars have taken their room
    const auto open = graph()->picture()->open;
    const auto sight = ui::sightOf(*graph());
    ASSERT_TRUE(sight);
    for (const auto& [key, form] : {std::pair(Qt::Key_F9, GraphForm::AsRun), {Qt::Key_F7, GraphForm::Original},
             {Qt::Key_F8, GraphForm::Compressed}}) {
        m_driver.key(graph(), key);
        ASSERT_TRUE(shows(form));
        QTest::qWait(1);
    }
    EXPECT_EQ(graph()->picture()->open, open);
    const auto now = ui::sightOf(*graph());
    ASSERT_TRUE(now);
    EXPECT_EQ(now->box, sight->box);
    EXPECT_LT(((now->middle - sight->middle) * now->zoom).manhattanLength(), 3);
    EXPECT_DOUBLE_EQ(now->zoom, sight->zoom);
}

/// Its boxes are others: in the columns of the model's own graph they may be one thin strip.
TEST_F(FormsWindow, WhatIsRunIsArrangedForThePaneByItself)
{
    ASSERT_TRUE(m_driver.open(std::filesystem::path(DUO_TEST_DATA) / "cases" / "tv_vit_b_16_small.onnx"));
    graph()->zoomTo(2);
    m_driver.key(graph(), Qt::Key_F7);
    ASSERT_TRUE(shows(GraphForm::Original));
    m_driver.key(graph(), Qt::Key_F9);
    ASSERT_TRUE(shows(GraphForm::AsRun));
    const QRectF bounds = graph()->picture()->bounds();
    EXPECT_GT(bounds.width() / bounds.height(), 0.4);
}

TEST_F(FormsWindow, TheSelectedNodeStaysWhereItIsAndIsSelectedInTheTrees)
{
    select({kConv});
    m_driver.action("actionReveal")->trigger();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return titleOf(kConv) == QStringLiteral("Conv"); }));
    graph()->zoomTo(1.5);
    QTest::qWait(1); // scroll bars have taken their room
    const QPoint before = placeOf(kConv);
    m_driver.key(graph(), Qt::Key_F9);
    ASSERT_TRUE(shows(GraphForm::AsRun));
    EXPECT_EQ(titleOf(kConv).toStdString(), "FusedConv");
    EXPECT_DOUBLE_EQ(graph()->zoom(), 1.5);
    EXPECT_LE((placeOf(kConv) - before).manhattanLength(), 3);
    QTest::mouseClick(graph()->viewport(), Qt::LeftButton, {}, middleOfNode(kConv));
    const auto* properties = m_driver.find<ui::PropertiesView>("properties");
    EXPECT_TRUE(WindowDriver::waitFor([&] {
        return properties->toPlainText().contains(QStringLiteral("fused from 2 nodes"));
    })) << properties->toPlainText().toStdString();
    m_driver.key(graph(), Qt::Key_F7);
    ASSERT_TRUE(shows(GraphForm::Original));
    EXPECT_LE((placeOf(kConv) - before).manhattanLength(), 6);
}

TEST_F(FormsWindow, AfterAnExportItIsTheExportThatRuns)
{
    app::Session& session = m_driver.window().session();
    session.setData({(std::filesystem::path(DUO_SAMPLES) / "digits_calibration.npz").string(), {}});
    select({kConv});
    m_driver.action("actionReveal")->trigger();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return titleOf(kConv) == QStringLiteral("Conv"); }));
    m_driver.key(graph(), Qt::Key_F9);
    ASSERT_TRUE(shows(GraphForm::AsRun));
    session.exportTo(m_driver.folder() / "m.int8.onnx");
    ASSERT_TRUE(WindowDriver::waitFor([&] {
        return session.runGraph() && session.runGraph()->of == "m.int8.onnx"
            && graph()->picture()->run == session.runGraph();
    }));
    EXPECT_EQ(titleOf(kConv).toStdString(), "QLinearConv");
    const NodeId kernel = session.runGraph()->kernelsFrom({node(kConv)}).front();
    const ValueId codes = session.runGraph()->kernels->node(kernel).outputs.front();
    EXPECT_EQ(ui::typeText(session.runGraph()->typeOf(codes)).toStdString(), "uint8 [batch, 32, 8, 8]")
        << "the engine wrote no shape";
    EXPECT_TRUE(strip()->about().contains(QStringLiteral("in int8"))) << strip()->about().toStdString();
    select({kConv});
    m_driver.action("actionIgnore")->trigger();
    EXPECT_TRUE(WindowDriver::waitFor(
        [&] { return strip()->about().contains(QStringLiteral("The recipe was changed since the export.")); }));
    session.setData({"random:8", {}});
    EXPECT_TRUE(WindowDriver::waitFor([&] {
        return strip()->about().contains(QStringLiteral("The last export is of an earlier run."));
    })) << strip()->about().toStdString();
}

TEST_F(FormsWindow, AskedAgainWhileItIsMadeItSaysSo)
{
    for (const char* action : {"actionShowAsRun", "actionShowOriginal", "actionShowAsRun"})
        m_driver.action(action)->trigger(); // the engine's answer comes through the event loop
    EXPECT_EQ(m_driver.window().statusBar()->currentMessage().toStdString(),
        "The engine has been making the graph as it is run for 0 s. It is shown when it is made; Stop ends it.");
    EXPECT_TRUE(shows(GraphForm::AsRun));
}

TEST_F(FormsWindow, AModelThatCannotBeRunSaysWhy)
{
    ASSERT_TRUE(m_driver.open(std::filesystem::path(DUO_TEST_DATA) / "pt2" / "archive" / "c_tied.pt2"));
    EXPECT_FALSE(m_driver.action("actionShowAsRun")->isEnabled());
    EXPECT_EQ(m_driver.action("actionShowAsRun")->toolTip().toStdString(), "Only ONNX models are run");
    EXPECT_FALSE(m_driver.action("actionShowCompressed")->isEnabled());
    EXPECT_TRUE(m_driver.action("actionShowOriginal")->isChecked());
}

} // namespace
} // namespace duo::test
