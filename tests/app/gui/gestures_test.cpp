// SPDX-License-Identifier: Apache-2.0
// Each way to edit rules in the window, once, with the rules table, both trees and the graph looked at after it.
#include "tests/app/gui/rules_window.h"
#include "views/style/format.h"

#include <QClipboard>
#include <QDropEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QToolButton>

#include <algorithm>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

using Model = ui::ScopeTreeModel;

using Gestures = RulesWindow;

TEST_F(Gestures, ClickOnTheMarkOfAStateIgnoresAndTakesBack)
{
    const auto click = [this] { // where it stands now: a table of rules takes room from the tree
        const QModelIndex row = rowOf(node(kConv));
        tree()->scrollTo(row);
        const QRect cell = tree()->visualRect(row.siblingAtColumn(Model::StateColumn));
        QTest::mouseClick(tree()->viewport(), Qt::LeftButton, {}, QPoint(cell.left() + 8, cell.center().y()));
    };
    click();
    EXPECT_EQ(rules(), std::vector<std::string>{"ignore name " + kConv});
    expectIgnored(kConv, true);
    expectIgnored(kSecond, false);
    click();
    EXPECT_TRUE(rules().empty());
    expectIgnored(kConv, false);
}

TEST_F(Gestures, KeysIgnoreTargetAndClearInTreeAndGraph)
{
    ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Storage, "encoder.stem"));
    m_driver.key(tree(ui::TreeKind::Storage), Qt::Key_I);
    EXPECT_EQ(rules(), std::vector<std::string>{"ignore storage-scope encoder.stem"});
    expectIgnored(kConv, true);
    m_driver.key(tree(ui::TreeKind::Storage), Qt::Key_T);
    EXPECT_EQ(rules(), std::vector<std::string>{"target storage-scope encoder.stem"});
    expectIgnored(kConv, false);
    m_driver.key(tree(ui::TreeKind::Storage), Qt::Key_X);
    EXPECT_TRUE(rules().empty());

    select({kConv});
    graph()->reveal();
    ASSERT_TRUE(m_driver.settled());
    QTest::mouseClick(graph()->viewport(), Qt::LeftButton, {}, middleOfNode(kConv));
    m_driver.key(graph(), Qt::Key_I);
    ASSERT_EQ(rules().size(), 1U);
    expectIgnored(kConv, true);
}

TEST_F(Gestures, KeysGoBackInTheGraphWhereverTheFocusIs)
{
    graph()->zoomTo(2);
    select({kConv});
    graph()->reveal();
    ASSERT_TRUE(m_driver.settled());
    const double zoom = graph()->zoom();
    m_driver.key(graph(), Qt::Key_0, Qt::ControlModifier);
    ASSERT_LT(graph()->zoom(), zoom);
    const QModelIndex row = rowOf(node(kConv)).parent();
    ASSERT_TRUE(tree()->isExpanded(row));
    tree()->setCurrentIndex(row);
    m_driver.key(tree(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(graph()->zoom(), zoom);
    EXPECT_TRUE(tree()->isExpanded(row)) << "the key is not the tree's";
    m_driver.key(rulesTable(), Qt::Key_Right, Qt::AltModifier);
    EXPECT_LT(graph()->zoom(), zoom);
}

TEST_F(Gestures, ASecondClickMeetsWhatTheFirstOneMetWherePanesTakeRoomBetweenThem)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_transformer.onnx")));
    m_driver.action("dockParameter:action")->trigger(); // has a table where something is selected, else a line
    graph()->goToWhole();
    QTest::qWait(50);
    const auto& boxes = graph()->picture()->graph.boxes;
    const auto closed = std::ranges::find_if(
        boxes, [](const ViewBox& box) { return box.kind == ViewBox::Kind::Scope && !box.open && box.total > 4; });
    ASSERT_NE(closed, boxes.end());
    const std::string key = closed->key;
    const auto placeOf = [&] {
        const QRectF frame = graph()->picture()->frame(graph()->picture()->boxOfKey(key));
        return graph()->viewport()->mapToGlobal(graph()->mapFromScene(frame.center()));
    };
    const QPoint at = placeOf();
    const int height = graph()->viewport()->height();
    const auto here = [&] { return graph()->viewport()->mapFromGlobal(at); };
    QTest::mouseClick(graph()->viewport(), Qt::LeftButton, {}, here());
    ASSERT_TRUE(WindowDriver::waitFor([&] { return graph()->viewport()->height() != height; }));
    EXPECT_LE((placeOf() - at).manhattanLength(), 3);
    QTest::mouseDClick(graph()->viewport(), Qt::LeftButton, {}, here());
    EXPECT_TRUE(WindowDriver::waitFor([&] {
        const int box = graph()->picture()->boxOfKey(key);
        return box != ui::Picture::kNoBox && graph()->picture()->graph.boxes[static_cast<std::size_t>(box)].open;
    }));
}

TEST_F(Gestures, KeysInTheRulesTableAreAboutTheRule)
{
    select({kConv});
    m_driver.action("actionIgnore")->trigger();
    expectIgnored(kConv, true);
    rulesTable()->selectRow(0);
    rulesTable()->setFocus();
    m_driver.key(rulesTable(), Qt::Key_T);
    EXPECT_EQ(rules(), std::vector<std::string>{"target name " + kConv});
    m_driver.key(rulesTable(), Qt::Key_I);
    EXPECT_EQ(rules(), std::vector<std::string>{"ignore name " + kConv});
    m_driver.key(rulesTable(), Qt::Key_Space);
    EXPECT_EQ(rules(), std::vector<std::string>{"off ignore name " + kConv});
    expectIgnored(kConv, false);
    m_driver.key(rulesTable(), Qt::Key_X);
    EXPECT_TRUE(rules().empty());
    EXPECT_EQ(undoSteps(), 5);
}

TEST_F(Gestures, ContextMenusOfTreeGraphAndRules)
{
    select({kConv});
    tree()->scrollTo(rowOf(node(kConv)));
    openMenu(tree()->viewport(), tree()->visualRect(rowOf(node(kConv))).center());
    ASSERT_TRUE(trigger("scopeMenu", QStringLiteral("Ignore all of type Conv")));
    EXPECT_EQ(rules(), std::vector<std::string>{"ignore type Conv"});
    expectIgnored(kConv, true);
    expectIgnored(kSecond, true);

    rulesTable()->selectRow(0);
    Q_EMIT rulesTable()->customContextMenuRequested({10, 10});
    ASSERT_TRUE(trigger("rulesMenu", QStringLiteral("Remove")));
    EXPECT_TRUE(rules().empty());
    expectIgnored(kConv, false);

    graph()->reveal();
    ASSERT_TRUE(m_driver.settled());
    openMenu(graph()->viewport(), middleOfNode(kConv));
    ASSERT_TRUE(trigger("graphMenu", QStringLiteral("Ignore")));
    expectIgnored(kConv, true);
}

TEST_F(Gestures, RubberBandAndOneClickIgnoreWhatItTouches)
{
    graph()->fit();
    const QRect all = graph()->viewport()->rect().adjusted(2, 2, -2, -2);
    QTest::mousePress(graph()->viewport(), Qt::LeftButton, Qt::ControlModifier, all.topLeft());
    QTest::mouseMove(graph()->viewport(), all.center());
    QMouseEvent move(QEvent::MouseMove, all.bottomRight(), graph()->viewport()->mapToGlobal(all.bottomRight()),
        Qt::LeftButton, Qt::LeftButton, Qt::ControlModifier);
    QApplication::sendEvent(graph()->viewport(), &move);
    QTest::mouseRelease(graph()->viewport(), Qt::LeftButton, Qt::ControlModifier, all.bottomRight());
    EXPECT_TRUE(tree()->selectionModel()->hasSelection());
    EXPECT_TRUE(m_driver.find<QFrame>("selectionBar")->isVisible());
    QTest::mouseClick(m_driver.find<QToolButton>("barIgnore"), Qt::LeftButton);
    EXPECT_FALSE(rules().empty());
    EXPECT_EQ(undoSteps(), 1);
    expectIgnored(kConv, true);
    expectIgnored(kSecond, true);
}

TEST_F(Gestures, WhatFeedsTheSelectionIsACommandOfTheWindow)
{
    const auto isSelected = [&](const std::string& name) {
        const auto nodes = tree()->currentSelection().nodes;
        return std::ranges::find(nodes, node(name)) != nodes.end();
    };
    select({kConv, kSecond});
    m_driver.action("actionSelectBetween")->trigger();
    EXPECT_TRUE(isSelected(kBetween));
    EXPECT_FALSE(isSelected("/head/fc/Gemm"));
    select({kBetween});
    EXPECT_FALSE(m_driver.action("actionSelectBetween")->isEnabled()) << "of one node";
    m_driver.action("actionSelectUpstream")->trigger();
    EXPECT_TRUE(isSelected(kConv));
    EXPECT_FALSE(isSelected(kSecond));
    select({kBetween});
    m_driver.action("actionSelectDownstream")->trigger();
    EXPECT_TRUE(isSelected("/head/fc/Gemm"));
    EXPECT_FALSE(isSelected(kConv));
}

TEST_F(Gestures, SubgraphIsShownBeforeItIsMade)
{
    select({kConv, kSecond});
    m_driver.action("actionAsSubgraph")->trigger();
    ASSERT_TRUE(m_driver.answered());
    auto* panel = m_driver.find<ui::ProposalPanel>("proposalPanel");
    ASSERT_TRUE(panel->isVisible());
    EXPECT_TRUE(rules().empty());
    EXPECT_TRUE(isPreviewed(kBetween)); // lies between
    EXPECT_FALSE(isPreviewed("/head/fc/Gemm"));
    m_driver.key(panel, Qt::Key_Return);
    EXPECT_FALSE(panel->isVisible());
    EXPECT_FALSE(isPreviewed(kBetween));
    ASSERT_EQ(rules().size(), 1U);
    expectIgnored(kBetween, true);
    expectIgnored("/head/fc/Gemm", false);
}

TEST_F(Gestures, PatternIsChosenFromThree)
{
    select({"/encoder/refine/first/conv/Conv"});
    m_driver.action("actionMakePattern")->trigger();
    ASSERT_TRUE(m_driver.answered());
    auto* panel = m_driver.find<ui::ProposalPanel>("proposalPanel");
    ASSERT_TRUE(panel->isVisible());
    ASSERT_EQ(panel->proposals().choices.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) { // each says how many nodes it catches
        const auto& choice = panel->proposals().choices[i];
        EXPECT_TRUE(choice.effect.contains(ui::nodesText(static_cast<std::int64_t>(choice.nodes.size()))))
            << choice.effect.toStdString();
        EXPECT_GE(choice.nodes.size(), i == 0 ? 1U : panel->proposals().choices[i - 1].nodes.size());
    }
    const auto chosen = panel->proposals().choices.back();
    m_driver.find<QAbstractButton>(("proposal" + std::to_string(panel->proposals().choices.size() - 1)).c_str())
        ->click();
    EXPECT_TRUE(isPreviewed("/encoder/refine/first/conv/Conv"));
    QTest::mouseClick(m_driver.find<QPushButton>("proposalApply"), Qt::LeftButton);
    EXPECT_EQ(m_driver.window().session().rules(), chosen.after);
    expectIgnored("/encoder/refine/first/conv/Conv", true);
}

TEST_F(Gestures, ChildOfAnIgnoredScopeIsTakenOutByChoice)
{
    ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, "encoder"));
    m_driver.key(tree(), Qt::Key_I);
    expectIgnored(kConv, true);
    select({kConv});
    m_driver.action("actionClear")->trigger();
    ASSERT_TRUE(m_driver.answered());
    auto* panel = m_driver.find<ui::ProposalPanel>("proposalPanel");
    ASSERT_TRUE(panel->isVisible());
    ASSERT_EQ(panel->proposals().choices.size(), 3U);
    EXPECT_TRUE(isPreviewed(kConv));
    QTest::mouseClick(m_driver.find<QPushButton>("proposalApply"), Qt::LeftButton);
    expectIgnored(kConv, false);
    expectIgnored(kSecond, true);
}

TEST_F(Gestures, DragFromATreeToTheRulesAddsARule)
{
    const std::unique_ptr<QMimeData> data(tree()->model()->mimeData({rowOf(node(kConv))}));
    ASSERT_NE(data, nullptr);
    auto* view = m_driver.find<ui::RulesView>("rulesView");
    for (int drops = 0; drops < 2; ++drops) { // a second time changes nothing
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(view, &enter);
        ASSERT_TRUE(enter.isAccepted());
        QDropEvent drop({10, 10}, Qt::CopyAction, data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(view, &drop);
        EXPECT_EQ(rules(), std::vector<std::string>{"ignore name " + kConv});
    }
    expectIgnored(kConv, true);
}

TEST_F(Gestures, TypingAPatternShowsWhatItWouldCatchAndIsOneStep)
{
    QTest::mouseClick(m_driver.find<QPushButton>("addRule"), Qt::LeftButton);
    ASSERT_TRUE(WindowDriver::waitFor([this] { return m_driver.find<QLineEdit>("ruleValueEditor") != nullptr; }));
    expectIgnored(kConv, false); // a rule without a value catches nothing
    QTest::keyClicks(m_driver.find<QLineEdit>("ruleValueEditor"), QStringLiteral("/encoder/stem/"));
    EXPECT_TRUE(WindowDriver::waitFor([this] { return isPreviewed(kConv); }));
    EXPECT_FALSE(isPreviewed(kSecond));
    EXPECT_EQ(m_driver.find<QLabel>("ruleFindings")->text(), QStringLiteral("Would catch 2 nodes"));
    expectIgnored(kConv, false);
    QTest::keyClick(m_driver.find<QLineEdit>("ruleValueEditor"), Qt::Key_Return);
    EXPECT_TRUE(WindowDriver::waitFor([this] { return !isPreviewed(kConv); }));
    EXPECT_EQ(rules(), std::vector<std::string>{"ignore pattern /encoder/stem/"});
    expectIgnored(kConv, true);
    EXPECT_EQ(undoSteps(), 1);
    m_driver.action("actionUndo")->trigger();
    EXPECT_TRUE(rules().empty());
}

} // namespace
} // namespace duo::test
