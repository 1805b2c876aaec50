// SPDX-License-Identifier: Apache-2.0
// Quantizers in the graph of the real window, and how the nodes they stand around run after an export.
#include "tests/app/gui/rules_window.h"

#include <QHelpEvent>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QToolTip>

#include <algorithm>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class Quantizers : public RulesWindow
{
protected:
    [[nodiscard]] const ViewGraph& shown() { return graph()->picture()->graph; }

    [[nodiscard]] std::int64_t quantizerBoxes()
    {
        return std::count_if(shown().boxes.begin(), shown().boxes.end(),
            [](const ViewBox& box) { return box.kind == ViewBox::Kind::Quantizer; });
    }

    [[nodiscard]] std::int64_t badges()
    {
        return std::count_if(shown().edges.begin(), shown().edges.end(), [](const ViewEdge& edge) {
            return !edge.badge.empty();
        }) + std::count_if(shown().boxes.begin(), shown().boxes.end(), [](const ViewBox& box) {
            return !box.badge.empty();
        });
    }

    bool toggleBoxes()
    {
        const bool before = graph()->picture()->hasQuantizerBoxes;
        graph()->setFocus();
        m_driver.key(graph(), Qt::Key_Q);
        return WindowDriver::waitFor([&] { return graph()->picture()->hasQuantizerBoxes != before; });
    }

    std::string toolTipOf(const std::string& name)
    {
        const QPoint at = middleOfNode(name);
        QHelpEvent help(QEvent::ToolTip, at, graph()->viewport()->mapToGlobal(at));
        QApplication::sendEvent(graph()->viewport(), &help);
        return QToolTip::text().toStdString();
    }

    void show(const std::string& name)
    {
        graph()->zoomBy(1); // who has moved in the graph keeps the picture
        select({name});
        graph()->reveal();
        ASSERT_TRUE(m_driver.settled());
        ASSERT_TRUE(WindowDriver::waitFor([&] { // what hides the node is opened in the background
            return std::ranges::any_of(shown().boxes, [&](const ViewBox& box) { return box.node == node(name); });
        }));
    }

    bool exportNow()
    {
        auto& session = m_driver.window().session();
        (void)m_driver.copySample("digits_calibration.npz");
        session.setData({(m_driver.folder() / "digits_calibration.npz").string(), {}});
        QSignalSpy exported(&session, &app::Session::exported);
        session.exportTo(m_driver.folder() / "out.onnx");
        return WindowDriver::waitFor([&] { return exported.count() == 1; });
    }
};

TEST_F(Quantizers, AreLabelsOnEdgesAndBoxesOnDemand)
{
    show(kConv);
    const auto labelled = badges();
    EXPECT_GT(labelled, 0);
    EXPECT_EQ(quantizerBoxes(), 0);
    ASSERT_TRUE(toggleBoxes());
    EXPECT_EQ(badges(), 0);
    EXPECT_GT(quantizerBoxes(), 0);
    EXPECT_TRUE(m_driver.action("actionQuantizerBoxes")->isChecked());
    // The quantizer of a weight stands for its node.
    const auto weight = std::find_if(shown().boxes.begin(), shown().boxes.end(),
        [&](const ViewBox& box) { return box.kind == ViewBox::Kind::Quantizer && box.node == node(kConv); });
    ASSERT_NE(weight, shown().boxes.end());
    EXPECT_EQ(weight->title, "W s8 per channel");
    const QRectF frame = graph()->picture()->frame(static_cast<int>(weight - shown().boxes.begin()));
    QTest::mouseClick(graph()->viewport(), Qt::LeftButton, {}, graph()->mapFromScene(frame.center()));
    EXPECT_EQ(tree()->currentSelection(), ui::selectNode(node(kConv)));
    ASSERT_TRUE(toggleBoxes());
    EXPECT_EQ(badges(), labelled);
    EXPECT_EQ(quantizerBoxes(), 0);
}

TEST_F(Quantizers, AsBoxesOrNotTheBoxesAskedForLastAreOpen)
{
    const std::set<std::string> open = graph()->picture()->open;
    ASSERT_FALSE(open.empty());
    for (const std::string& key : open)
        Q_EMIT graph()->closeRequested(key);
    m_driver.action("actionQuantizerBoxes")->trigger(); // before the picture asked for is made
    ASSERT_TRUE(WindowDriver::waitFor([this] { return graph()->picture()->hasQuantizerBoxes; }));
    EXPECT_TRUE(graph()->picture()->open.empty());
    Q_EMIT graph()->openRequested({"encoder"});
    Q_EMIT m_driver.window().session().snapshotChanged();
    ASSERT_TRUE(WindowDriver::waitFor([this] { return !graph()->picture()->open.empty(); }));
    EXPECT_EQ(graph()->picture()->open, std::set<std::string>{"encoder"});
}

TEST_F(Quantizers, TwoBoxesOpenedBeforeAPictureArrivesAreBothOpen)
{
    const auto closeAll = [this] {
        for (const std::string& key : std::set<std::string>(graph()->picture()->open))
            Q_EMIT graph()->closeRequested(key);
        return WindowDriver::waitFor([this] { return graph()->picture()->open.empty(); });
    };
    ASSERT_TRUE(closeAll());
    graph()->setBoxOpen(graph()->picture()->boxOfKey("encoder"), true);
    ASSERT_TRUE(WindowDriver::waitFor([this] { return graph()->picture()->open.contains("encoder"); }));
    std::vector<std::string> keys; // of the first two boxes that can be opened
    for (const ViewBox& box : shown().boxes) {
        if (!box.key.empty() && !box.open && keys.size() < 2)
            keys.push_back(box.key);
    }
    ASSERT_EQ(keys.size(), 2U);
    for (const std::string& key : keys)
        graph()->setBoxOpen(graph()->picture()->boxOfKey(key), true);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return graph()->picture()->open.contains(keys.back()); }));
    EXPECT_TRUE(graph()->picture()->open.contains(keys.front()));
    graph()->setBoxOpen(graph()->picture()->boxOfKey(keys.front()), false);
    graph()->setBoxOpen(graph()->picture()->boxOfKey(keys.back()), false);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return !graph()->picture()->open.contains(keys.back()); }));
    EXPECT_FALSE(graph()->picture()->open.contains(keys.front()));
}

TEST_F(Quantizers, AfterACalibrationTheGraphIsNotLaidOutAgain)
{
    graph()->zoomBy(1.1); // who has moved in the graph keeps the picture, whatever the size of the pane
    QSignalSpy shown(&m_driver.window(), &app::MainWindow::pictureShown);
    while (shown.wait(1000)) { // one for the size that the pane came to have may be under way
    }
    shown.clear();
    auto& session = m_driver.window().session();
    session.setData({"random:2", {}});
    QSignalSpy calibrated(&session, &app::Session::calibrated);
    session.calibrate();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return calibrated.count() == 1; }));
    ASSERT_TRUE(exportNow()); // takes longer than a layout
    EXPECT_EQ(shown.count(), 0);
}

TEST_F(Quantizers, AfterAnExportNodesSayHowTheyRunUntilTheRulesChange)
{
    show(kConv);
    EXPECT_EQ(toolTipOf(kConv).find("int8"), std::string::npos) << toolTipOf(kConv);
    ASSERT_TRUE(exportNow());
    show(kConv); // the banner has made the graph smaller
    EXPECT_NE(toolTipOf(kConv).find("Runs in int8"), std::string::npos) << toolTipOf(kConv);
    EXPECT_NE(m_driver.find<QTextBrowser>("results")->toPlainText().indexOf(QStringLiteral("run as int8 kernels")), -1);
    m_driver.action("actionIgnore")->trigger();
    ASSERT_TRUE(m_driver.settled());
    EXPECT_EQ(toolTipOf(kConv).find("Runs in int8"), std::string::npos) << toolTipOf(kConv);
    m_driver.action("actionUndo")->trigger();
    ASSERT_TRUE(m_driver.settled());
    EXPECT_NE(toolTipOf(kConv).find("Runs in int8"), std::string::npos) << toolTipOf(kConv);
}

} // namespace
} // namespace duo::test
