// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_trees_panel.h"

#include "tests/support/model_builder.h"
#include "tests/views/support/scope_trees.h"
#include "tests/views/support/snapshot_builder.h"
#include "views/trees/scope_delegate.h"

#include <QApplication>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

TEST(ScopeTreesPanel, SelectingAScopeSelectsItsCounterpartsAndReportsOnce)
{
    ScopeTreesPanel panel;
    const auto snapshot = test::exampleSnapshot();
    panel.setSnapshot(snapshot);
    QSignalSpy selected(&panel, &ScopeTreesPanel::selected);
    auto* storage = panel.tree(TreeKind::Storage);
    storage->setCurrentIndex(test::rowOf(*storage, "blk"));

    ASSERT_EQ(selected.count(), 1);
    const auto selection = selected.front().front().value<Selection>();
    EXPECT_EQ(selection, selectScope(*snapshot->scopes, TreeKind::Storage, snapshot->scopes->storage.find("blk")));
    EXPECT_EQ(test::selectedNames(*panel.tree(TreeKind::Execution)),
        QStringList({QStringLiteral("lin"), QStringLiteral("lin#1")}));
}

TEST(ScopeTreesPanel, AFilterThatFindsNothingSaysSo)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    panel.findChild<QLineEdit*>(QStringLiteral("scopeFilter"))->setText(QStringLiteral("nowhere"));
    const auto* summary = panel.findChild<QLabel*>(QStringLiteral("scopeSummary"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return summary->text() == QStringLiteral("Nothing matches the filter."); }))
        << summary->text().toStdString();
}

TEST(ScopeTreesPanel, ShowsASelectionMadeElsewhereWithoutReportingIt)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    QSignalSpy selected(&panel, &ScopeTreesPanel::selected);
    panel.setSelection(selectNode(NodeId(5)));
    EXPECT_EQ(selected.count(), 0);
    EXPECT_EQ(test::selectedNames(*panel.tree(TreeKind::Execution)), QStringList(QStringLiteral("Gemm")));
    EXPECT_EQ(panel.tree(TreeKind::Storage)->selectionModel()->selectedRows().front().parent().data().toString(),
        QStringLiteral("proj"));
}

std::shared_ptr<ShownOverlay> tensOfAMillion(const Snapshot& snapshot, OverlayKind kind)
{
    auto shown = std::make_shared<ShownOverlay>();
    shown->kind = kind;
    shown->scopes = snapshot.scopes;
    shown->values.emplace();
    shown->values->unit = OverlayUnit::Count;
    shown->values->whole = 1e6;
    shown->values->ofNode.assign(snapshot.model->nodes.size(), 10);
    shown->values->ofExecution.assign(snapshot.scopes->execution.scopes.size(), 10);
    shown->values->ofStorage.assign(snapshot.scopes->storage.scopes.size(), 10);
    return shown;
}

TEST(ScopeTreesPanel, ValuesOfAnOverlayAreNotCut)
{
    ScopeTreesPanel panel;
    const auto snapshot = test::exampleSnapshot();
    panel.setSnapshot(snapshot);
    panel.resize(700, 300);
    panel.show();
    const auto shown = tensOfAMillion(*snapshot, OverlayKind::Parameters);
    auto* tree = panel.tree(TreeKind::Execution);
    const auto isCut = [tree] {
        const QModelIndex root = tree->model()->index(0, ScopeTreeModel::OverlayColumn);
        return tree->sizeHintForIndex(root).width() > tree->header()->sectionSize(ScopeTreeModel::OverlayColumn);
    };
    panel.setOverlay(shown);
    EXPECT_EQ(tree->model()->index(0, ScopeTreeModel::OverlayColumn).data().toString(), QStringLiteral("< 0.1 %"));
    EXPECT_FALSE(isCut());
    auto shares = std::make_shared<ShownOverlay>(*shown);
    shares->kind = OverlayKind::Sensitivity;
    shares->values->unit = OverlayUnit::Share;
    shares->values->ofNode.assign(snapshot->model->nodes.size(), 5e-4);
    shares->values->ofStorage.assign(snapshot->scopes->storage.scopes.size(), 5e-4);
    shares->values->ofExecution.assign(snapshot->scopes->execution.scopes.size(), 5e-4);
    panel.setOverlay(shares);
    EXPECT_EQ(tree->model()->index(0, ScopeTreeModel::OverlayColumn).data().toString(), QStringLiteral("< 0.1 %"));
    EXPECT_FALSE(isCut());
    auto bits = std::make_shared<ShownOverlay>(*shown);
    bits->kind = OverlayKind::Precision;
    bits->values->unit = OverlayUnit::Category;
    bits->values->categories = {"16 bit, weights 8 bit"};
    bits->values->ofNode.assign(snapshot->model->nodes.size(), 0);
    bits->values->ofStorage.assign(snapshot->scopes->storage.scopes.size(), 0);
    bits->values->ofExecution.assign(snapshot->scopes->execution.scopes.size(), 0);
    panel.setOverlay(bits);
    EXPECT_FALSE(isCut());
}

TEST(ScopeTreesPanel, TheTitleOfAnOverlayIsSaidAnewWhereItIsAnother)
{
    ScopeTreesPanel panel;
    const auto snapshot = test::exampleSnapshot();
    panel.setSnapshot(snapshot);
    QSignalSpy titles(panel.tree(TreeKind::Execution)->model(), &QAbstractItemModel::headerDataChanged);
    panel.setOverlay(tensOfAMillion(*snapshot, OverlayKind::Parameters));
    EXPECT_EQ(titles.count(), 1);
    panel.setOverlay(tensOfAMillion(*snapshot, OverlayKind::Parameters)); // after a rule, say
    EXPECT_EQ(titles.count(), 1) << "all rows would be laid out for it";
    panel.setOverlay(tensOfAMillion(*snapshot, OverlayKind::Bytes));
    EXPECT_EQ(titles.count(), 2);
}

std::shared_ptr<ShownMarks> marksOf(const Snapshot& snapshot, const std::vector<Mark>& marks)
{
    auto shown = std::make_shared<ShownMarks>();
    shown->isMarking = true;
    shown->modules = std::make_shared<const MarkedModules>(markedModules(*snapshot.model, snapshot.scopes, {}, marks));
    return shown;
}

TEST(ScopeTreesPanel, AClickOnTheBoxBeforeAModuleOrSpaceAsksForItToBeMarked)
{
    ScopeTreesPanel panel;
    panel.resize(900, 500);
    panel.show();
    const auto snapshot = test::exampleSnapshot();
    panel.setSnapshot(snapshot);
    QSignalSpy intended(&panel, &ScopeTreesPanel::marksIntended);
    auto* storage = panel.tree(TreeKind::Storage);
    const QModelIndex row = test::rowOf(*storage, "blk");
    const QPoint box(storage->visualRect(row).left() + 6, storage->visualRect(row).center().y());
    QTest::mouseClick(storage->viewport(), Qt::LeftButton, {}, box);
    EXPECT_EQ(intended.count(), 0) << "nobody marks";

    const auto shown = marksOf(*snapshot, {});
    panel.setMarks(shown);
    QTest::mouseClick(storage->viewport(), Qt::LeftButton, {}, box);
    storage->setFocus();
    QTest::keyClick(storage, Qt::Key_Space);
    ASSERT_EQ(intended.count(), 2);
    const MarkIntent wanted{MarkIntent::Verb::Toggle, shown->modules->tree->find("blk")};
    EXPECT_EQ(intended[0].front().value<MarkIntent>(), wanted);
    EXPECT_EQ(intended[1].front().value<MarkIntent>(), wanted);
}

TEST(ScopeTreesPanel, CountsWhatIsMarkedAndSaysWhichMarkNamesNoModule)
{
    ScopeTreesPanel panel;
    const auto snapshot = test::exampleSnapshot();
    panel.setSnapshot(snapshot);
    auto* bar = panel.findChild<MarkBar*>();
    EXPECT_TRUE(bar->isHidden());
    Mark mark;
    mark.root = "blk";
    panel.setMarks(marksOf(*snapshot, {mark}));
    EXPECT_FALSE(bar->isHidden());
    EXPECT_EQ(bar->text().toStdString(), "Marked: 2 modules, 2 paths, 0 aliases, 4 nodes");
    mark.root = "blq";
    panel.setMarks(marksOf(*snapshot, {mark}));
    EXPECT_EQ(bar->text().toStdString(), "'mark blq' marks nothing: there is no module 'blq'; perhaps blk");
    panel.setMarks(nullptr);
    EXPECT_TRUE(bar->isHidden());
}

TEST(ScopeTreesPanel, ARowSaysHowItsModuleStandsToTheMarks)
{
    ScopeTreesPanel panel;
    const auto snapshot = test::exampleSnapshot();
    panel.setSnapshot(snapshot);
    Mark mark;
    mark.root = "blk";
    mark.settings = {{"unit", "1"}};
    panel.setMarks(marksOf(*snapshot, {mark}));
    const QModelIndex row = test::rowOf(*panel.tree(TreeKind::Storage), "blk");
    EXPECT_EQ(row.data(ScopeTreeModel::MarkRole).toInt(), static_cast<int>(MarkSign::First));
    EXPECT_TRUE(row.data(Qt::ToolTipRole).toString().contains(QStringLiteral("\nMarked\nunit=1")));
    EXPECT_TRUE(row.data(Qt::AccessibleTextRole).toString().contains(QStringLiteral(", marked")));
}

TEST(ScopeTreesPanel, WhatIsOpenIsToldAndOpenedAgainAlsoBehindAFilter)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    ScopeTreeView* tree = panel.tree(TreeKind::Execution);
    tree->expandAll();
    const ScopeTreeView::Sight all = tree->sight();
    EXPECT_TRUE(all.open.contains("blk"));
    tree->goToSight({{"", "no such scope"}, 0});
    EXPECT_EQ(tree->sight().open, std::set<std::string>{""});
    tree->beginFilter(QStringLiteral("Gemm"), false);
    tree->endFilter();
    tree->goToSight(all);
    EXPECT_EQ(tree->sight(), all);
    tree->beginFilter({}, false);
    tree->endFilter();
    EXPECT_EQ(tree->sight().open, all.open);
}

TEST(ScopeTreesPanel, WhatIsAloneOnItsLevelIsOpenHoweverMuchItHolds)
{
    std::vector<test::NodeLine> lines;
    for (int i = 0; i < 200; ++i)
        lines.push_back({"/net/n" + std::to_string(i), "Relu", "net", {}, {}});
    ScopeTreesPanel panel;
    panel.setSnapshot(test::makeSnapshot(lines));
    const auto* tree = panel.tree(TreeKind::Execution);
    EXPECT_TRUE(tree->isExpanded(test::rowOf(*tree, "net")));
}

TEST(ScopeTreesPanel, ColumnsGrowWithTheNumbersOfTheModel)
{
    std::vector<test::NodeLine> lines;
    for (int i = 0; i < 1254; ++i) {
        const std::string name = "/node" + std::to_string(i);
        lines.push_back({name, "Relu", "run", {}, {}, NodeState::Quantized, {Reason::SharedModule}});
    }
    ScopeTreesPanel panel;
    panel.resize(1600, 600);
    panel.show();
    panel.setSnapshot(test::makeSnapshot(lines));
    const auto* tree = panel.tree(TreeKind::Execution);
    for (const int column : {ScopeTreeModel::DiffersColumn, ScopeTreeModel::NodesColumn}) {
        const QString text = tree->model()->index(0, column).data().toString();
        EXPECT_TRUE(text.endsWith(QStringLiteral("1,254"))) << text.toStdString();
        const int width = tree->header()->sectionSize(column);
        EXPECT_EQ(fittingCell(text, tree->fontMetrics(), width - 8), text) << width;
    }
}

TEST(ScopeTreesPanel, AStateIsSaidInWordsWhereTheScrollBarTakesRoomFromNames)
{
    std::vector<test::NodeLine> lines;
    for (int i = 0; i < 100; ++i)
        lines.push_back({"/n" + std::to_string(i), "Relu", "run" + std::to_string(i), {}, {}});
    ScopeTreeView tree(TreeKind::Execution);
    tree.resize(240, 300);
    tree.show();
    tree.setSnapshot(test::makeSnapshot(lines));
    tree.expandAll();
    QApplication::processEvents();
    ASSERT_TRUE(tree.verticalScrollBar()->isVisible());
    const QModelIndex state = test::rowOf(tree, "run5").siblingAtColumn(ScopeTreeModel::StateColumn);
    const QString text = state.data().toString();
    ASSERT_TRUE(text.endsWith(QStringLiteral("quantized"))) << text.toStdString();
    EXPECT_EQ(fittingCell(text, tree.fontMetrics(), tree.header()->sectionSize(ScopeTreeModel::StateColumn) - 8), text);
    EXPECT_LT(tree.header()->sectionSize(ScopeTreeModel::DiffersColumn), 30) << "none differs";
}

TEST(ScopeTreesPanel, AStateIsSeenWholeOrScrolledTo)
{
    ScopeTreeView tree(TreeKind::Execution);
    tree.show();
    tree.setSnapshot(test::exampleSnapshot());
    for (int width = 40; width < 300; width += 10) {
        tree.resize(width, 300);
        QApplication::processEvents();
        const int left = tree.header()->sectionViewportPosition(ScopeTreeModel::StateColumn);
        const int right = left + tree.header()->sectionSize(ScopeTreeModel::StateColumn);
        EXPECT_TRUE(right <= tree.viewport()->width() || left >= tree.viewport()->width()) << width << ": " << left;
    }
}

TEST(ScopeTreesPanel, AStateOfALongWordIsSaidWhereThereIsRoom)
{
    ScopeTreeView tree(TreeKind::Execution);
    tree.resize(290, 300);
    tree.show();
    tree.setSnapshot(test::makeSnapshot({{"/n", "Softmax", "", {}, {}, NodeState::Unsupported}}));
    QApplication::processEvents();
    const QString text = QStringLiteral("– unsupported");
    EXPECT_EQ(fittingCell(text, tree.fontMetrics(), tree.header()->sectionSize(ScopeTreeModel::StateColumn) - 8), text);
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
    EXPECT_EQ(test::selectedNames(*panel.tree(TreeKind::Execution)), QStringList(QStringLiteral("blk")));
    EXPECT_EQ(selected.count(), 0);
}

TEST(ScopeTreesPanel, ContextMenuIgnoresTheScope)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    panel.show();
    QSignalSpy intents(&panel, &ScopeTreesPanel::rulesIntended);
    auto* tree = panel.tree(TreeKind::Execution);
    tree->setCurrentIndex(test::rowOf(*tree, "blk"));
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
    QApplication::sendEvent(tree, &event);
    auto* menu = panel.findChild<QMenu*>(QStringLiteral("scopeMenu"));
    ASSERT_NE(menu, nullptr);
    EXPECT_EQ(menu->actions().front()->text(), QStringLiteral("Ignore scope blk"));
    menu->actions().front()->trigger();
    ASSERT_EQ(intents.count(), 1);
    EXPECT_EQ(intents.front().front().value<RuleIntent>(),
        (RuleIntent{RuleIntent::Verb::Ignore, {{RuleKind::ExecutionScope, "blk", {}, "blk#0"}}}));
}

TEST(ScopeTreesPanel, FilterOpensWhatItFinds)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    auto* tree = panel.tree(TreeKind::Execution);
    auto* filter = panel.findChild<QLineEdit*>(QStringLiteral("scopeFilter"));
    QTest::keyClicks(filter, QStringLiteral("proj"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !test::rowOf(*tree, "conv1").isValid(); }));
    EXPECT_TRUE(tree->isExpanded(test::rowOf(*tree, "@enc.proj")));
}

/// Types it, and waits until nothing of a name is shown, or something is.
TEST(ScopeTreesPanel, ClearingAFilterKeepsSelectionAndExpansion)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    auto* tree = panel.tree(TreeKind::Execution);
    tree->collapse(test::rowOf(*tree, "blk#1"));
    panel.setSelection(selectNode(NodeId(0)));
    QSignalSpy selected(&panel, &ScopeTreesPanel::selected);
    const QStringList before = test::selectedNames(*tree);
    ASSERT_EQ(before.size(), 1);
    test::filterBy(panel, "proj", "conv1", false);
    EXPECT_TRUE(test::selectedNames(*tree).isEmpty());
    test::filterBy(panel, "", "conv1", true);
    EXPECT_EQ(test::selectedNames(*tree), before);
    EXPECT_FALSE(tree->isExpanded(test::rowOf(*tree, "blk#1")));
    EXPECT_TRUE(tree->isExpanded(test::rowOf(*tree, "blk")));
    EXPECT_EQ(selected.count(), 0);
}

TEST(ScopeTreesPanel, ClearingAFilterKeepsTheRowChosenInIt)
{
    std::vector<test::NodeLine> lines;
    for (int i = 0; i < 300; ++i) {
        const std::string name = "/node" + std::to_string(i);
        lines.push_back({name, "Relu", i < 200 ? "early" : "late", {}, {}});
    }
    ScopeTreesPanel panel;
    panel.resize(900, 400);
    panel.show();
    panel.setSnapshot(test::makeSnapshot(lines));
    auto* tree = panel.tree(TreeKind::Execution);
    tree->collapseAll();
    test::filterBy(panel, "node23", "node1 (Relu)", false); // node23 and node230 to node239
    tree->setCurrentIndex(test::rowOf(*tree, "node235 (Relu)"));
    const int top = tree->visualRect(tree->currentIndex()).top();
    test::filterBy(panel, "", "node1 (Relu)", true);
    EXPECT_EQ(test::selectedNames(*tree), QStringList(QStringLiteral("node235 (Relu)")));
    EXPECT_LE(
        std::abs(tree->visualRect(tree->currentIndex()).top() - top), tree->visualRect(tree->currentIndex()).height());
    EXPECT_FALSE(tree->isExpanded(test::rowOf(*tree, "early")));
}

TEST(ScopeTreesPanel, AnotherModelEndsTheFilter)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    test::filterBy(panel, "proj", "conv1", false);
    auto* box = panel.findChild<QCheckBox*>(QStringLiteral("onlyDifferences"));
    box->setChecked(true);
    panel.setSnapshot(test::exampleSnapshot());
    EXPECT_EQ(panel.findChild<QLineEdit*>(QStringLiteral("scopeFilter"))->text(), QString());
    EXPECT_FALSE(box->isChecked());
    EXPECT_TRUE(test::rowOf(*panel.tree(TreeKind::Execution), "conv1").isValid());
}

/// The gutter as it was painted last.
const LinkScene& paintedScene(ScopeTreesPanel& panel)
{
    panel.resize(800, 600);
    (void)panel.grab();
    return panel.findChild<LinkGutter*>(QStringLiteral("linkGutter"))->scene();
}

TEST(ScopeTreesPanel, GutterJoinsTheRowsInSight)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    panel.setSelection(selectNode(NodeId(0)));
    const LinkScene& scene = paintedScene(panel);
    EXPECT_EQ(scene.links.size(), 4U); // everything is open and in sight: a line for each node with parameters
    EXPECT_EQ(
        std::count_if(scene.links.begin(), scene.links.end(), [](const Link& link) { return link.isSelected; }), 1);
    EXPECT_TRUE(
        std::all_of(scene.links.begin(), scene.links.end(), [](const Link& link) { return link.end == LinkEnd::Row; }));
}

TEST(ScopeTreesPanel, ClosedRowsTakeTheLinksOfWhatTheyHide)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    panel.tree(TreeKind::Execution)->collapseAll();
    panel.tree(TreeKind::Storage)->collapseAll();
    EXPECT_EQ(paintedScene(panel).links.size(), 1U);
}

TEST(ScopeTreesPanel, OnlyDifferencesLeavesTheSameNodesInBothTrees)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    panel.findChild<QCheckBox*>(QStringLiteral("onlyDifferences"))->setChecked(true);
    const LinkScene& scene = paintedScene(panel);
    EXPECT_EQ(scene.links.size(), 3U);
    EXPECT_TRUE(std::all_of(scene.links.begin(), scene.links.end(), [](const Link& link) { return link.differs; }));
    for (const TreeKind kind : {TreeKind::Execution, TreeKind::Storage})
        EXPECT_FALSE(test::rowOf(*panel.tree(kind), "conv1").isValid());
    for (const TreeKind kind : {TreeKind::Execution, TreeKind::Storage})
        EXPECT_TRUE(test::rowOf(*panel.tree(kind), "Gemm").isValid());
}

TEST(ScopeTreesPanel, ConstantsAreListedWhereTheyAreAskedFor)
{
    test::ModelBuilder builder;
    builder.input("x", {1, 4}).weight("fc.weight", {4, 4}).ints("shape", {4, 1});
    builder.node("MatMul", "/fc/MatMul", {"x", "fc.weight"}, {"a"});
    builder.node("Reshape", "/Reshape", {"a", "shape"}, {"y"}).output("y");
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->model = builder.build();
    snapshot->scopes = std::make_shared<const Scopes>(findScopes(*snapshot->model));
    ScopeTreesPanel panel;
    panel.setSnapshot(snapshot);
    const auto& storage = *panel.tree(TreeKind::Storage);
    EXPECT_FALSE(test::rowOf(storage, "shape").isValid());
    auto* box = panel.findChild<QCheckBox*>(QStringLiteral("withConstants"));
    box->setChecked(true);
    const QModelIndex row = test::rowOf(storage, "shape");
    ASSERT_TRUE(row.isValid());
    EXPECT_EQ(row.siblingAtColumn(ScopeTreeModel::StateColumn).data().toString(), QStringLiteral("constant"));
    EXPECT_EQ(row.siblingAtColumn(ScopeTreeModel::NodesColumn).data().toString(), QStringLiteral("1"));
    EXPECT_FALSE(test::rowOf(*panel.tree(TreeKind::Execution), "shape").isValid());
    box->setChecked(false);
    EXPECT_FALSE(test::rowOf(storage, "shape").isValid());
}

TEST(ScopeTreesPanel, ClickingALinkSelectsItsNodes)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    const LinkScene& scene = paintedScene(panel);
    const auto link
        = std::find_if(scene.links.begin(), scene.links.end(), [](const Link& candidate) { return candidate.differs; });
    const QPoint middle = linkPath(scene, *link).pointAtPercent(0.1).toPoint();
    QSignalSpy selected(&panel, &ScopeTreesPanel::selected);
    auto* gutter = panel.findChild<LinkGutter*>(QStringLiteral("linkGutter"));
    EXPECT_TRUE(gutter->textAt(middle).contains(QStringLiteral("Runs in")));
    QTest::mouseClick(gutter, Qt::LeftButton, {}, middle);
    ASSERT_EQ(selected.count(), 1);
    EXPECT_EQ(selected.front().front().value<Selection>(), selectNode(NodeId(1)));
}

} // namespace
} // namespace duo::ui
