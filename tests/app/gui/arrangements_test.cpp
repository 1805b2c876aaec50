// SPDX-License-Identifier: Apache-2.0
// Room in the real window: panes below the graph take what they need, and panes are arranged by keys and names.
#include "tests/app/gui/window_driver.h"

#include <QApplication>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenu>
#include <QWindow>

#include <cmath>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class ArrangementsTest : public testing::Test
{
protected:
    void SetUp() override
    {
        ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
        m_driver.window().resize(kSize);
    }

    [[nodiscard]] QDockWidget* dock(const char* name) { return m_driver.find<QDockWidget>(name); }
    [[nodiscard]] bool isSeen(const char* name) { return !dock(name)->visibleRegion().isEmpty(); }
    [[nodiscard]] bool becomesSeen(const char* name)
    {
        return WindowDriver::waitFor([&] { return isSeen(name); });
    }
    /// The pane in front below the graph comes to a height, and stays there.
    [[nodiscard]] bool becomesHigh(const char* name, int least, int most)
    {
        const auto isSo = [&] { return isSeen(name) && dock(name)->height() >= least && dock(name)->height() <= most; };
        if (!WindowDriver::waitFor(isSo))
            return false;
        QApplication::processEvents();
        return isSo();
    }
    /// The trees come to a share of the window's width.
    [[nodiscard]] bool becomesWide(double share)
    {
        const auto isSo = [&] { return std::abs(dock("dockScopes")->width() - share * kSize.width()) < 20; };
        if (!WindowDriver::waitFor(isSo))
            return false;
        QApplication::processEvents();
        return isSo();
    }
    void press(Qt::Key key)
    {
        m_driver.key(m_driver.find<QTreeView>("executionTree"), key, Qt::ControlModifier | Qt::AltModifier);
    }
    void ignore(int rules)
    {
        RuleSet set;
        for (int i = 0; i < rules; ++i) {
            set.rules.emplace_back();
            set.rules.back().kind = RuleKind::ExecutionScope;
            set.rules.back().value = "encoder/layer" + std::to_string(i);
        }
        m_driver.window().session().editRules(set, QStringLiteral("Test"));
    }

    static constexpr QSize kSize{1280, 720};
    WindowDriver m_driver;
};

TEST_F(ArrangementsTest, AnEmptyTableOfRulesIsALineAndGrowsWithThem)
{
    const int line = m_driver.window().fontMetrics().lineSpacing();
    ASSERT_TRUE(becomesHigh("dockRules", 1, 5 * line)) << dock("dockRules")->height(); // with title and margins
    const int empty = dock("dockRules")->height();
    EXPECT_FALSE(m_driver.find<QTableView>("rulesTable")->isVisible());
    EXPECT_TRUE(m_driver.find<QPushButton>("addRule")->isVisible());
    ignore(3);
    ASSERT_TRUE(becomesHigh("dockRules", empty + 3 * line, kSize.height() * app::PaneRoom::kMostPercent / 100));
    const int three = dock("dockRules")->height();
    ignore(40);
    ASSERT_TRUE(becomesHigh("dockRules", three + 1, kSize.height() * app::PaneRoom::kMostPercent / 100));
    m_driver.window().session().undoStack()->setIndex(0);
    EXPECT_TRUE(becomesHigh("dockRules", empty, empty)) << dock("dockRules")->height();
}

TEST_F(ArrangementsTest, EachPaneHasItsOwnHeight)
{
    ASSERT_TRUE(becomesSeen("dockRules"));
    const int rules = dock("dockRules")->height();
    dock("dockConfig")->raise();
    ASSERT_TRUE(becomesHigh("dockConfig", 2 * rules, kSize.height() * app::PaneRoom::kMostPercent / 100));
    dock("dockRules")->raise();
    EXPECT_TRUE(becomesHigh("dockRules", rules, rules)) << dock("dockRules")->height();
}

TEST_F(ArrangementsTest, AHighMessageIsMadeRoomForByPanesToo)
{
    dock("dockConfig")->raise();
    auto* banner = m_driver.find<ui::Banner>("banner");
    banner->dismiss();
    ASSERT_TRUE(becomesHigh("dockConfig", 200, kSize.height() * app::PaneRoom::kMostPercent / 100));
    const int before = dock("dockConfig")->height();
    banner->showMessage(ui::Banner::Tone::Warning, QStringLiteral("A line of several.\n").repeated(6));
    EXPECT_TRUE(becomesHigh("dockConfig", before / 2, before - 2 * m_driver.window().fontMetrics().lineSpacing()))
        << dock("dockConfig")->height() << " of " << before;
    banner->dismiss();
    EXPECT_TRUE(becomesHigh("dockConfig", before, before)) << dock("dockConfig")->height();
}

/// A press that nothing in the pane wants goes on to the window, and its release does not.
TEST_F(ArrangementsTest, AClickAboveASettingKeepsNoHeight)
{
    ASSERT_TRUE(becomesSeen("dockRules"));
    const int rules = dock("dockRules")->height();
    dock("dockConfig")->raise();
    ASSERT_TRUE(becomesHigh("dockConfig", 2 * rules, kSize.height() * app::PaneRoom::kMostPercent / 100));
    const QWidget* editor = m_driver.find<QWidget>("setting:profile");
    const QPoint above = editor->mapTo(&m_driver.window(), QPoint(editor->width() - 10, -6));
    QWindow* window = m_driver.window().windowHandle();
    QTest::mousePress(window, Qt::LeftButton, {}, above);
    QTest::mouseRelease(window, Qt::LeftButton, {}, above);
    dock("dockRules")->raise();
    EXPECT_TRUE(becomesHigh("dockRules", rules, rules)) << dock("dockRules")->height();
}

TEST_F(ArrangementsTest, TheCurrentRowStaysInSightWhereAPaneGrows)
{
    ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, "head/fc"));
    const auto* tree = m_driver.find<ui::ScopeTreesPanel>("scopeTreesPanel")->tree(ui::TreeKind::Execution);
    const int before = tree->viewport()->height();
    dock("dockConfig")->raise();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return tree->viewport()->height() < before - 100; }));
    EXPECT_TRUE(tree->viewport()->rect().contains(tree->visualRect(tree->currentIndex()).center()));
}

TEST_F(ArrangementsTest, AHeightThatWasDraggedStaysThatPanesOwn)
{
    ASSERT_TRUE(becomesHigh("dockRules", 1, 5 * m_driver.window().fontMetrics().lineSpacing()));
    const int rules = dock("dockRules")->height();
    const QPoint line = dock("dockRules")->geometry().topLeft() + QPoint(200, -4);
    QWindow* window = m_driver.window().windowHandle();
    QTest::mousePress(window, Qt::LeftButton, {}, line);
    QTest::mouseMove(window, line - QPoint(0, 100));
    QTest::mouseRelease(window, Qt::LeftButton, {}, line - QPoint(0, 100));
    ASSERT_TRUE(becomesHigh("dockRules", rules + 60, rules + 140)) << dock("dockRules")->height();
    const int dragged = dock("dockRules")->height();
    dock("dockSensitivity")->raise();
    ASSERT_TRUE(becomesHigh("dockSensitivity", 1, dragged - 20)) << dock("dockSensitivity")->height();
    dock("dockRules")->raise();
    EXPECT_TRUE(becomesHigh("dockRules", dragged, dragged)) << dock("dockRules")->height();
    press(Qt::Key_1); // arranging gives panes what they need again
    EXPECT_TRUE(becomesHigh("dockRules", rules, rules)) << dock("dockRules")->height();
}

TEST_F(ArrangementsTest, SidesGetTheirWidthBackWhenATinyWindowGrows)
{
    ASSERT_TRUE(becomesSeen("dockRules"));
    const auto widths = [this] { return std::pair(dock("dockScopes")->width(), dock("dockProperties")->width()); };
    press(Qt::Key_1); // its share of this window
    ASSERT_TRUE(becomesWide(0.46)) << widths().first;
    const auto before = widths();
    m_driver.window().resize(200, 200);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return widths().first < before.first; }));
    m_driver.window().resize(kSize);
    EXPECT_TRUE(WindowDriver::waitFor([&] { return widths() == before; }))
        << widths().first << ' ' << widths().second << ", before " << before.first << ' ' << before.second;
}

TEST_F(ArrangementsTest, AWidthThatWasDraggedStaysOverATinyWindow)
{
    ASSERT_TRUE(becomesSeen("dockRules"));
    QApplication::processEvents();
    const int before = dock("dockScopes")->width();
    const QPoint line = dock("dockScopes")->geometry().topRight() + QPoint(3, 150);
    QWindow* window = m_driver.window().windowHandle();
    QTest::mousePress(window, Qt::LeftButton, {}, line);
    QTest::mouseMove(window, line - QPoint(80, 0));
    QTest::mouseRelease(window, Qt::LeftButton, {}, line - QPoint(80, 0));
    ASSERT_TRUE(WindowDriver::waitFor([&] { return dock("dockScopes")->width() < before - 40; }));
    QApplication::processEvents();
    const int dragged = dock("dockScopes")->width();
    m_driver.window().resize(200, 200);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return dock("dockScopes")->width() < dragged; }));
    m_driver.window().resize(kSize);
    EXPECT_TRUE(WindowDriver::waitFor([&] { return dock("dockScopes")->width() == dragged; }))
        << dock("dockScopes")->width() << ", dragged " << dragged;
}

TEST_F(ArrangementsTest, KeysArrangePanesForWhatOneIsAbout)
{
    press(Qt::Key_2);
    ASSERT_TRUE(becomesSeen("dockProperties"));
    EXPECT_TRUE(isSeen("dockScopes") && isSeen("dockRules"));
    EXPECT_TRUE(dock("dockResults")->isHidden());
    EXPECT_TRUE(becomesWide(0.60)) << dock("dockScopes")->width();
    press(Qt::Key_3);
    EXPECT_TRUE(becomesSeen("dockSensitivity"));
    EXPECT_TRUE(becomesSeen("dockResults"));
    EXPECT_EQ(m_driver.window().dockWidgetArea(dock("dockSensitivity")), Qt::LeftDockWidgetArea);
    press(Qt::Key_4);
    EXPECT_TRUE(becomesSeen("dockConfig"));
    EXPECT_EQ(m_driver.window().dockWidgetArea(dock("dockConfig")), Qt::LeftDockWidgetArea);
    press(Qt::Key_1);
    EXPECT_TRUE(becomesSeen("dockScopes"));
    EXPECT_EQ(m_driver.window().dockWidgetArea(dock("dockConfig")), Qt::BottomDockWidgetArea);
    for (const char* name : {"dockConfig", "dockResults", "dockSensitivity", "dockStatistics"})
        EXPECT_FALSE(dock(name)->isHidden()) << name;
    EXPECT_EQ(m_driver.window().size(), kSize);
}

TEST_F(ArrangementsTest, OwnOnesAreKeptByNameOverARestart)
{
    press(Qt::Key_2);
    dock("dockScopes")->hide();
    m_driver.action("actionKeepArrangement")->trigger();
    auto* dialog = m_driver.find<QInputDialog>("arrangementDialog");
    ASSERT_NE(dialog, nullptr);
    auto* name = dialog->findChild<QLineEdit*>();
    QTest::keyClicks(name, QStringLiteral("Only rules / mine"));
    m_driver.key(name, Qt::Key_Return);
    press(Qt::Key_1);
    ASSERT_TRUE(becomesSeen("dockScopes"));

    m_driver.restart();
    ASSERT_TRUE(m_driver.open(m_driver.folder() / "digits_conv.onnx"));
    ASSERT_TRUE(becomesSeen("dockScopes"));
    press(Qt::Key_5);
    EXPECT_TRUE(WindowDriver::waitFor([&] { return dock("dockScopes")->isHidden(); }));
    EXPECT_TRUE(isSeen("dockRules"));
    EXPECT_TRUE(dock("dockResults")->isHidden());
    const QList<QAction*> kept = m_driver.find<QMenu>("menuForgetArrangement")->actions();
    ASSERT_EQ(kept.size(), 1);
    EXPECT_EQ(kept.front()->text(), QStringLiteral("Only rules / mine"));
    kept.front()->trigger();
    EXPECT_FALSE(m_driver.find<QMenu>("menuForgetArrangement")->isEnabled());
    press(Qt::Key_1);
    ASSERT_TRUE(becomesSeen("dockScopes"));
    press(Qt::Key_5);
    QApplication::processEvents();
    EXPECT_TRUE(isSeen("dockScopes"));
}

TEST_F(ArrangementsTest, NamesOfThoseBuiltInAreNotTaken)
{
    auto* status = m_driver.find<QLabel>("statusCounts");
    for (const auto& [typed, said] :
        {std::pair("Export", "Export is built in; take another name"), {"  ", "An arrangement needs a name"}}) {
        m_driver.action("actionKeepArrangement")->trigger();
        auto* dialog = m_driver.find<QInputDialog>("arrangementDialog");
        ASSERT_NE(dialog, nullptr);
        QTest::keyClicks(dialog->findChild<QLineEdit*>(), QLatin1String(typed));
        m_driver.key(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
        EXPECT_TRUE(status->text().startsWith(QLatin1String(said))) << status->text().toStdString();
        delete dialog;
    }
    EXPECT_FALSE(m_driver.find<QMenu>("menuForgetArrangement")->isEnabled());
}

TEST_F(ArrangementsTest, APaneMovesToTheSideByItsMenu)
{
    ASSERT_TRUE(becomesSeen("dockRules"));
    const QList<QAction*> places = m_driver.find<QMenu>("place:dockRules")->actions();
    ASSERT_EQ(places.size(), 4);
    places[1]->trigger();
    EXPECT_TRUE(becomesSeen("dockRules"));
    EXPECT_EQ(m_driver.window().dockWidgetArea(dock("dockRules")), Qt::RightDockWidgetArea);
    EXPECT_FALSE(isSeen("dockProperties")); // a tab behind it
    EXPECT_FALSE(dock("dockProperties")->isHidden());
    places[3]->trigger();
    EXPECT_TRUE(dock("dockRules")->isFloating());
    places[2]->trigger();
    EXPECT_TRUE(becomesSeen("dockRules"));
    EXPECT_EQ(m_driver.window().dockWidgetArea(dock("dockRules")), Qt::BottomDockWidgetArea);
}

} // namespace
} // namespace duo::test
