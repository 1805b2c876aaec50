// SPDX-License-Identifier: Apache-2.0
// The command palette of the real window: a few letters and Enter instead of menus, trees and tables.
#include "tests/app/gui/rules_window.h"

#include <QLineEdit>
#include <QSignalSpy>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class PaletteWindow : public RulesWindow
{
protected:
    void SetUp() override
    {
        RulesWindow::SetUp();
        tree()->setFocus();
    }

    void enter(const char* query)
    {
        m_driver.key(m_driver.window().focusWidget(), Qt::Key_K, Qt::ControlModifier);
        auto* line = m_driver.find<QLineEdit>("paletteLine");
        ASSERT_TRUE(WindowDriver::waitFor([&] { return line->isVisible() && line->hasFocus(); }));
        QTest::keyClicks(line, QLatin1String(query));
        m_driver.key(line, Qt::Key_Return);
        ASSERT_FALSE(line->isVisible());
    }
};

TEST_F(PaletteWindow, GoesToANodeInTreesAndGraph)
{
    enter("/layer1.0/second/conv");
    EXPECT_TRUE(rowOf(node(kSecond)).isValid());
    EXPECT_TRUE(tree()->selectionModel()->isSelected(rowOf(node(kSecond))));
    EXPECT_TRUE(WindowDriver::waitFor([&] {
        return graph()->picture()->selectionOf(graph()->currentBox()).nodes == std::vector{node(kSecond)};
    })) << "the graph opens what hides it";
}

TEST_F(PaletteWindow, RunsCommandsOfAllMenus)
{
    enter("@encoder stem");
    enter(">edit ignore");
    ASSERT_EQ(rules().size(), 1U);
    expectIgnored(kConv, true);
    enter(">undo");
    EXPECT_TRUE(rules().empty());
    enter(">arrangement scopes");
    EXPECT_TRUE(m_driver.find<QDockWidget>("dockResults")->isHidden());
}

TEST_F(PaletteWindow, GoesToARule)
{
    select({kConv});
    m_driver.action("actionIgnore")->trigger();
    ASSERT_TRUE(m_driver.settled());
    enter(":conv");
    EXPECT_TRUE(rulesTable()->hasFocus());
    EXPECT_TRUE(rulesTable()->selectionModel()->isRowSelected(0));
}

TEST_F(PaletteWindow, EscapeClosesItAndStopsNothing)
{
    auto& session = m_driver.window().session();
    session.setData({"random:2", {}});
    m_driver.key(tree(), Qt::Key_K, Qt::ControlModifier);
    auto* line = m_driver.find<QLineEdit>("paletteLine");
    session.calibrate();
    QSignalSpy stopped(&session, &app::Session::stopped);
    m_driver.key(line, Qt::Key_Escape);
    EXPECT_FALSE(line->isVisible());
    EXPECT_TRUE(tree()->hasFocus());
    ASSERT_TRUE(WindowDriver::waitFor([&] { return session.activity() == app::Activity::Idle; }));
    EXPECT_EQ(stopped.count(), 0);
}

} // namespace
} // namespace duo::test
