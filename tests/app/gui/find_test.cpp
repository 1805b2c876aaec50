// SPDX-License-Identifier: Apache-2.0
// Find in the real window, by keys: trees and graph are looked at after it.
#include "tests/app/gui/rules_window.h"
#include "views/find/find_bar.h"

#include <QLabel>
#include <QLineEdit>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class Find : public RulesWindow
{
protected:
    ui::FindBar* bar() { return m_driver.find<ui::FindBar>("findBar"); }
    QLineEdit* text() { return m_driver.find<QLineEdit>("findText"); }
    std::string summary() { return bar()->summary().toStdString(); }

    /// Types as a user does, key by key, where the focus is.
    void type(const char* words) { QTest::keyClicks(m_driver.window().focusWidget(), QString::fromUtf8(words)); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(m_driver.window().focusWidget(), key, modifiers);
    }
    bool says(const std::string& wanted)
    {
        return WindowDriver::waitFor([&] { return summary() == wanted; });
    }
    int foundMark(const std::string& name) { return rowOf(node(name)).data(ui::ScopeTreeModel::FoundRole).toInt(); }
};

TEST_F(Find, IsOpenedEverywhereAndGivesTheFocusBack)
{
    select({kConv});
    m_driver.action("actionIgnore")->trigger(); // a table of rules without rows is not shown
    for (QWidget* place :
        {static_cast<QWidget*>(tree()), static_cast<QWidget*>(graph()), static_cast<QWidget*>(rulesTable())}) {
        place->setFocus();
        press(Qt::Key_F, Qt::ControlModifier);
        EXPECT_TRUE(text()->hasFocus());
        type("conv");
        EXPECT_TRUE(bar()->isVisible());
        press(Qt::Key_Escape);
        EXPECT_FALSE(bar()->isVisible());
        EXPECT_TRUE(place->hasFocus());
    }
}

TEST_F(Find, WalksWithF3AndSelectsInTreeAndGraph)
{
    press(Qt::Key_F, Qt::ControlModifier);
    type("type:Conv scope:layer1");
    ASSERT_TRUE(WindowDriver::waitFor([&] { return summary().starts_with("1 of "); })) << summary();
    const int all = std::stoi(summary().substr(5));
    ASSERT_GE(all, 2);
    EXPECT_EQ(foundMark(kBetween), static_cast<int>(ui::ScopeTreeModel::Preview::All));
    EXPECT_EQ(foundMark(kConv), static_cast<int>(ui::ScopeTreeModel::Preview::None));
    EXPECT_FALSE(tree()->selectionModel()->hasSelection()) << "typing selects nothing";

    press(Qt::Key_F3);
    EXPECT_TRUE(says("2 of " + std::to_string(all)));
    EXPECT_TRUE(tree()->selectionModel()->isSelected(rowOf(node(kSecond))));
    press(Qt::Key_F3, Qt::ShiftModifier);
    EXPECT_TRUE(says("1 of " + std::to_string(all)));
    EXPECT_TRUE(tree()->selectionModel()->isSelected(rowOf(node(kBetween))));
    EXPECT_TRUE(text()->hasFocus());

    press(Qt::Key_Return);
    ASSERT_TRUE(WindowDriver::waitFor([&] {
        const auto boxes = graph()->picture()->boxesOf(ui::selectNode(node(kBetween)));
        return !boxes.empty()
            && graph()->picture()->graph.boxes[static_cast<std::size_t>(boxes.front())].kind == ViewBox::Kind::Node;
    })) << "Enter opens what hides it in the graph";
    EXPECT_TRUE(text()->hasFocus());
    const QRect sight = graph()->viewport()->rect();
    EXPECT_TRUE(WindowDriver::waitFor([&] { return sight.contains(middleOfNode(kBetween)); }));
}

TEST_F(Find, ANodeThatWentIsShownInTheGraphOfTheFile)
{
    const Model& opened = *snapshot()->opened->model;
    const auto gone = std::ranges::find_if(
        opened.nodes, [&](const Node& other) { return !snapshot()->model->findNode(other.name).valid(); });
    ASSERT_NE(gone, opened.nodes.end());
    press(Qt::Key_F, Qt::ControlModifier);
    text()->setText(QStringLiteral("name:\"%1\"").arg(QString::fromStdString(gone->name)));
    ASSERT_TRUE(says("1 of 1"));
    EXPECT_TRUE(m_driver.find<QLabel>("findProblem")->text().contains(QStringLiteral("is in the file, and went")));
    press(Qt::Key_Return);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return graph()->picture()->isOpened(); }));
    const NodeId id(static_cast<std::size_t>(gone - opened.nodes.begin()));
    EXPECT_TRUE(WindowDriver::waitFor([&] {
        const auto boxes = graph()->picture()->boxesOfDrawn({id});
        return boxes.size() == 1
            && graph()->picture()->isGone(graph()->picture()->graph.boxes[static_cast<std::size_t>(boxes[0])])
            && graph()->viewport()->rect().contains(
                graph()->mapFromScene(graph()->picture()->frame(boxes[0]).center()));
    }));
}

TEST_F(Find, AllThatIsFoundBecomesOneRule)
{
    press(Qt::Key_F, Qt::ControlModifier);
    type("type:Conv");
    ASSERT_TRUE(WindowDriver::waitFor([&] { return summary().starts_with("1 of "); })) << summary();
    press(Qt::Key_Return, Qt::AltModifier);
    press(Qt::Key_Escape);
    m_driver.action("actionIgnore")->trigger();
    expectIgnored(kConv, true);
    expectIgnored(kSecond, true);
}

TEST_F(Find, SaysThatThereIsNothing)
{
    press(Qt::Key_F, Qt::ControlModifier);
    type("nowhere");
    EXPECT_TRUE(says("no match"));
    press(Qt::Key_F3);
    EXPECT_TRUE(text()->hasFocus());
    for (int i = 0; i < 7; ++i)
        press(Qt::Key_Backspace);
    EXPECT_TRUE(says(""));
}

TEST_F(Find, StatesFollowTheRules)
{
    press(Qt::Key_F, Qt::ControlModifier);
    type("state:\"ignored\"");
    EXPECT_TRUE(says("no match"));
    select({kConv});
    m_driver.action("actionIgnore")->trigger();
    EXPECT_TRUE(says("1 of 1"));
    m_driver.action("actionUndo")->trigger();
    EXPECT_TRUE(says("no match"));
}

TEST_F(Find, TheFilterOfTheTreesHasItsOwnKey)
{
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(m_driver.find<QLineEdit>("scopeFilter")->hasFocus());
    type("type:gemm");
    EXPECT_TRUE(WindowDriver::waitFor([&] { return !rowOf(node(kConv)).isValid(); }));
}

} // namespace
} // namespace duo::test
