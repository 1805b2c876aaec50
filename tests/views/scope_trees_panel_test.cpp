// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_trees_panel.h"

#include "tests/views/support/snapshot_builder.h"

#include <QMenu>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

QModelIndex rowOf(const QTreeView& view, const char* text)
{
    const auto found = view.model()->match(
        view.model()->index(0, 0), Qt::DisplayRole, QString::fromUtf8(text), 1, Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? QModelIndex() : found.front();
}

QStringList selectedNames(const QTreeView& view)
{
    QStringList names;
    for (const QModelIndex& index : view.selectionModel()->selectedRows())
        names += index.data().toString();
    names.sort();
    return names;
}

TEST(ScopeTreesPanel, SelectingAScopeSelectsItsCounterpartsAndReportsOnce)
{
    ScopeTreesPanel panel;
    const auto snapshot = test::exampleSnapshot();
    panel.setSnapshot(snapshot);
    QSignalSpy selected(&panel, &ScopeTreesPanel::selected);
    auto* storage = panel.tree(TreeKind::Storage);
    storage->setCurrentIndex(rowOf(*storage, "blk"));

    ASSERT_EQ(selected.count(), 1);
    const auto selection = selected.front().front().value<Selection>();
    EXPECT_EQ(selection, selectScope(*snapshot->scopes, TreeKind::Storage, snapshot->scopes->storage.find("blk")));
    EXPECT_EQ(
        selectedNames(*panel.tree(TreeKind::Execution)), QStringList({QStringLiteral("lin"), QStringLiteral("lin#1")}));
}

TEST(ScopeTreesPanel, ShowsASelectionMadeElsewhereWithoutReportingIt)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    QSignalSpy selected(&panel, &ScopeTreesPanel::selected);
    panel.setSelection(selectNode(NodeId(5)));
    EXPECT_EQ(selected.count(), 0);
    EXPECT_EQ(selectedNames(*panel.tree(TreeKind::Execution)), QStringList(QStringLiteral("Gemm")));
    EXPECT_EQ(panel.tree(TreeKind::Storage)->selectionModel()->selectedRows().front().parent().data().toString(),
        QStringLiteral("proj"));
}

TEST(ScopeTreesPanel, SelectionSurvivesNewRules)
{
    ScopeTreesPanel panel;
    const auto snapshot = test::exampleSnapshot();
    panel.setSnapshot(snapshot);
    panel.setSelection(selectScope(*snapshot->scopes, TreeKind::Execution, snapshot->scopes->execution.find("blk")));
    QSignalSpy selected(&panel, &ScopeTreesPanel::selected);
    RuleSet rules;
    rules.rules.emplace_back();
    rules.rules.back().kind = RuleKind::ExecutionScope;
    rules.rules.back().value = "blk";
    panel.setSnapshot(test::withRules(*snapshot, rules));
    EXPECT_EQ(selectedNames(*panel.tree(TreeKind::Execution)), QStringList(QStringLiteral("blk")));
    EXPECT_EQ(selected.count(), 0);
}

TEST(ScopeTreesPanel, ContextMenuIgnoresTheScope)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    panel.show();
    QSignalSpy intents(&panel, &ScopeTreesPanel::rulesIntended);
    auto* tree = panel.tree(TreeKind::Execution);
    tree->setCurrentIndex(rowOf(*tree, "blk"));
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
    QApplication::sendEvent(tree, &event);
    auto* menu = panel.findChild<QMenu*>(QStringLiteral("scopeMenu"));
    ASSERT_NE(menu, nullptr);
    EXPECT_EQ(menu->actions().front()->text(), QStringLiteral("Ignore scope blk"));
    menu->actions().front()->trigger();
    ASSERT_EQ(intents.count(), 1);
    EXPECT_EQ(intents.front().front().value<RuleIntent>(),
        (RuleIntent{RuleIntent::Verb::Ignore, {{RuleKind::ExecutionScope, "blk"}}}));
}

TEST(ScopeTreesPanel, FilterOpensWhatItFinds)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    auto* tree = panel.tree(TreeKind::Execution);
    auto* filter = panel.findChild<QLineEdit*>(QStringLiteral("scopeFilter"));
    QTest::keyClicks(filter, QStringLiteral("proj"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !rowOf(*tree, "conv1").isValid(); }));
    EXPECT_TRUE(tree->isExpanded(rowOf(*tree, "@enc.proj")));
}

} // namespace
} // namespace duo::ui
