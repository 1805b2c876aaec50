// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_trees_panel.h"

#include "tests/support/model_builder.h"
#include "tests/views/support/snapshot_builder.h"
#include "tests/views/support/text_tree.h"
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

QModelIndex rowOf(const QTreeView& view, const char* text)
{
    return test::findRow(*view.model(), text);
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

/// 400 scopes of two nodes each.
std::shared_ptr<const Snapshot> manyScopes()
{
    std::vector<test::NodeLine> lines;
    for (int i = 0; i < 400; ++i) {
        const std::string scope = "s" + std::to_string(i);
        lines.push_back({scope + "/a", "Conv", scope, {scope}, {}});
        lines.push_back({scope + "/b", "Relu", scope, {}, {}});
    }
    return test::makeSnapshot(lines);
}

/// The first of the two nodes of each scope.
Selection everySecond(const Snapshot& snapshot)
{
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < snapshot.model->nodes.size(); i += 2)
        nodes.emplace_back(i);
    return selectNodes(std::move(nodes));
}

TEST(ScopeTreesPanel, OfManySelectedNodesThoseInClosedScopesStaySelectedToo)
{
    ScopeTreesPanel panel;
    panel.resize(900, 400);
    panel.show();
    const auto snapshot = manyScopes();
    panel.setSnapshot(snapshot);
    panel.setSelection(everySecond(*snapshot));
    auto* tree = panel.tree(TreeKind::Execution);
    EXPECT_EQ(selectedNames(*tree), QStringList({QStringLiteral("a (Conv)")})); // what is in sight
    tree->expand(rowOf(*tree, "s7"));
    EXPECT_EQ(selectedNames(*tree), QStringList({QStringLiteral("a (Conv)"), QStringLiteral("a (Conv)")}))
        << "of s0, which was opened for the first one, and of s7";

    QSignalSpy selected(&panel, &ScopeTreesPanel::selected);
    tree->setCurrentIndex(rowOf(*tree, "s9"));
    ASSERT_EQ(selected.count(), 1);
    EXPECT_EQ(selected.front().front().value<Selection>().nodes.size(), 2U) << "a click selects that alone";
}

/// Qt goes through all that it was told of for each cell that it paints.
TEST(ScopeTreesPanel, OfManySelectedRowsQtIsToldOfThoseInSight)
{
    ScopeTreesPanel panel;
    panel.resize(900, 400);
    panel.show();
    const auto snapshot = manyScopes();
    panel.setSnapshot(snapshot);
    auto* tree = panel.tree(TreeKind::Execution);
    tree->expandAll();
    panel.setSelection(everySecond(*snapshot));
    const auto isSelected = [&](const char* scope, int row) {
        return tree->selectionModel()->isSelected(tree->model()->index(row, 0, rowOf(*tree, scope)));
    };
    EXPECT_LT(selectedNames(*tree).size(), 40);
    EXPECT_TRUE(isSelected("s0", 0));
    EXPECT_FALSE(isSelected("s0", 1));
    EXPECT_FALSE(isSelected("s399", 0));
    tree->scrollToBottom();
    EXPECT_TRUE(isSelected("s399", 0));
    EXPECT_FALSE(isSelected("s0", 0));
    EXPECT_EQ(tree->currentSelection(), everySecond(*snapshot));

    QSignalSpy selected(&panel, &ScopeTreesPanel::selected);
    const QModelIndex last = tree->model()->index(1, 0, rowOf(*tree, "s399"));
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, Qt::ControlModifier, tree->visualRect(last).center());
    ASSERT_EQ(selected.count(), 1);
    EXPECT_EQ(selected.front().front().value<Selection>().nodes.size(), 401U) << "one more";
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(last).center());
    EXPECT_EQ(selected.back().front().value<Selection>(), selectNode(NodeId(799)));
    tree->scrollToTop();
    EXPECT_FALSE(isSelected("s0", 0));
}

/// More than are told of once they are open.
std::shared_ptr<const Snapshot> veryManyScopes()
{
    std::vector<test::NodeLine> lines;
    for (int i = 0; i < 700; ++i) {
        const std::string scope = "s" + std::to_string(i);
        lines.push_back({scope + "/in/a", "Conv", scope + "/in", {scope + ".in"}, {}});
        lines.push_back({scope + "/in/b", "Relu", scope + "/in", {}, {}});
    }
    return test::makeSnapshot(lines);
}

TEST(ScopeTreesPanel, OfVeryManyOpenScopesTheOutermostAreTold)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(veryManyScopes());
    auto* tree = panel.tree(TreeKind::Execution);
    tree->expandAll();
    const auto open = tree->sight().open;
    EXPECT_EQ(open.size(), ScopeTreeView::kMostOpen);
    for (int i = 0; i < 700; ++i)
        EXPECT_TRUE(open.contains("s" + std::to_string(i))) << i;
}

TEST(ScopeTreesPanel, TheStarKeyOpensAllBelowAndTellsOfItOnce)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(manyScopes());
    panel.show();
    auto* tree = panel.tree(TreeKind::Execution);
    tree->collapseAll();
    tree->setCurrentIndex(tree->model()->index(0, 0));
    QSignalSpy seen(tree, &ScopeTreeView::sightChanged);
    QTest::keyClick(tree, Qt::Key_Asterisk);
    EXPECT_EQ(seen.count(), 1);
    EXPECT_TRUE(tree->isExpanded(tree->model()->index(0, 0, tree->model()->index(0, 0))));
    EXPECT_EQ(tree->sight().open.size(), 401U) << "the root and 400 scopes";
}

TEST(ScopeTreesPanel, ManyRowsAreSelectedByTheScopesThatHoldThem)
{
    ScopeTreesPanel panel;
    const auto snapshot = manyScopes();
    panel.setSnapshot(snapshot);
    panel.resize(900, 400);
    panel.show();
    auto* tree = panel.tree(TreeKind::Execution);
    tree->expandAll();
    QSignalSpy selected(&panel, &ScopeTreesPanel::selected);
    const auto nodes = [&] { return selected.back().front().value<Selection>().nodes.size(); };
    tree->selectAll();
    ASSERT_EQ(selected.count(), 1);
    EXPECT_EQ(nodes(), 800U);
    EXPECT_EQ(selectedNames(*tree).size(), 1) << "the root alone";

    const auto firstOfScope = tree->model()->index(0, 0, rowOf(*tree, "s7"));
    tree->setCurrentIndex(firstOfScope); // of two, and s7 itself is not selected
    QTest::keyClick(tree, Qt::Key_End, Qt::ShiftModifier);
    EXPECT_EQ(nodes(), 2U + 392U * 2U) << "of s7, and of s8 to s399";
    EXPECT_TRUE(selectedNames(*tree).contains(QStringLiteral("s399"))) << "and what else is in sight";
    QTest::keyClick(tree, Qt::Key_Up);
    EXPECT_EQ(nodes(), 1U) << "that is above the last";
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
    EXPECT_EQ(selectedNames(*panel.tree(TreeKind::Execution)), QStringList(QStringLiteral("Gemm")));
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
    const QModelIndex row = rowOf(*storage, "blk");
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
    const QModelIndex row = rowOf(*panel.tree(TreeKind::Storage), "blk");
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
    EXPECT_TRUE(tree->isExpanded(rowOf(*tree, "net")));
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
    const QModelIndex state = rowOf(tree, "run5").siblingAtColumn(ScopeTreeModel::StateColumn);
    const QString text = state.data().toString();
    ASSERT_TRUE(text.endsWith(QStringLiteral("quantized"))) << text.toStdString();
    EXPECT_EQ(fittingCell(text, tree.fontMetrics(), tree.header()->sectionSize(ScopeTreeModel::StateColumn) - 8), text);
    EXPECT_LT(tree.header()->sectionSize(ScopeTreeModel::DiffersColumn), 30) << "none differs";
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
        (RuleIntent{RuleIntent::Verb::Ignore, {{RuleKind::ExecutionScope, "blk", {}, "blk#0"}}}));
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

/// Types it, and waits until nothing of a name is shown, or something is.
void filterBy(ScopeTreesPanel& panel, const char* words, const char* name, bool isShown)
{
    panel.findChild<QLineEdit*>(QStringLiteral("scopeFilter"))->setText(QString::fromUtf8(words));
    ASSERT_TRUE(QTest::qWaitFor([&] { return rowOf(*panel.tree(TreeKind::Execution), name).isValid() == isShown; }));
}

TEST(ScopeTreesPanel, ClearingAFilterKeepsSelectionAndExpansion)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    auto* tree = panel.tree(TreeKind::Execution);
    tree->collapse(rowOf(*tree, "blk#1"));
    panel.setSelection(selectNode(NodeId(0)));
    QSignalSpy selected(&panel, &ScopeTreesPanel::selected);
    const QStringList before = selectedNames(*tree);
    ASSERT_EQ(before.size(), 1);
    filterBy(panel, "proj", "conv1", false);
    EXPECT_TRUE(selectedNames(*tree).isEmpty());
    filterBy(panel, "", "conv1", true);
    EXPECT_EQ(selectedNames(*tree), before);
    EXPECT_FALSE(tree->isExpanded(rowOf(*tree, "blk#1")));
    EXPECT_TRUE(tree->isExpanded(rowOf(*tree, "blk")));
    EXPECT_EQ(selected.count(), 0);
}

TEST(ScopeTreesPanel, ClearingAFilterOpensVeryManyScopesAgain)
{
    ScopeTreesPanel panel;
    panel.resize(900, 400);
    panel.show();
    panel.setSnapshot(veryManyScopes());
    auto* tree = panel.tree(TreeKind::Execution);
    tree->expandAll();
    tree->collapse(rowOf(*tree, "s3"));
    panel.setSelection(selectNode(NodeId(2 * 650)));
    const QStringList before = selectedNames(*tree);
    filterBy(panel, "scope:s7", "s3", false);
    EXPECT_TRUE(tree->isExpanded(rowOf(*tree, "s7"))) << "what is found is open";
    filterBy(panel, "", "s3", true);
    EXPECT_FALSE(tree->isExpanded(rowOf(*tree, "s3")));
    for (const char* scope : {"s0", "s7", "s699"}) {
        const QModelIndex index = rowOf(*tree, scope);
        EXPECT_TRUE(tree->isExpanded(index)) << scope;
        EXPECT_TRUE(tree->isExpanded(tree->model()->index(0, 0, index))) << scope;
    }
    EXPECT_EQ(selectedNames(*tree), before);
    EXPECT_TRUE(tree->viewport()->rect().intersects(tree->visualRect(tree->currentIndex())));
}

TEST(ScopeTreesPanel, ARuleLeavesOpenWhatIsOpenBehindAFilterOfStates)
{
    ScopeTreesPanel panel;
    panel.show();
    const auto snapshot = veryManyScopes();
    panel.setSnapshot(snapshot);
    auto* tree = panel.tree(TreeKind::Execution);
    tree->expandAll();
    filterBy(panel, "type:Conv state:quantized", "b (Relu)", false);
    tree->expand(rowOf(*tree, "s5"));
    RuleSet rules;
    rules.rules.emplace_back().kind = RuleKind::ExecutionScope;
    rules.rules.back().value = "s3";
    panel.setSnapshot(test::withRules(*snapshot, rules));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !rowOf(*tree, "s3").isValid(); }));
    EXPECT_TRUE(tree->isExpanded(rowOf(*tree, "s5")));
    filterBy(panel, "", "s3", true);
    EXPECT_TRUE(tree->isExpanded(rowOf(*tree, "s699")));
}

TEST(ScopeTreesPanel, ConstantsThatAreAskedForAreShownWithAFilterThatWasBegun)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(veryManyScopes());
    auto* tree = panel.tree(TreeKind::Storage);
    tree->expandAll();
    tree->beginFilter(QStringLiteral("scope:s7"), false);
    tree->setWithConstants(true);
    EXPECT_FALSE(rowOf(*tree, "s3").isValid());
    EXPECT_TRUE(tree->isExpanded(rowOf(*tree, "s7")));
    tree->beginFilter({}, false);
    tree->endFilter();
    EXPECT_TRUE(tree->isExpanded(rowOf(*tree, "s3")));
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
    filterBy(panel, "node23", "node1 (Relu)", false); // node23 and node230 to node239
    tree->setCurrentIndex(rowOf(*tree, "node235 (Relu)"));
    const int top = tree->visualRect(tree->currentIndex()).top();
    filterBy(panel, "", "node1 (Relu)", true);
    EXPECT_EQ(selectedNames(*tree), QStringList(QStringLiteral("node235 (Relu)")));
    EXPECT_LE(
        std::abs(tree->visualRect(tree->currentIndex()).top() - top), tree->visualRect(tree->currentIndex()).height());
    EXPECT_FALSE(tree->isExpanded(rowOf(*tree, "early")));
}

TEST(ScopeTreesPanel, AnotherModelEndsTheFilter)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(test::exampleSnapshot());
    filterBy(panel, "proj", "conv1", false);
    auto* box = panel.findChild<QCheckBox*>(QStringLiteral("onlyDifferences"));
    box->setChecked(true);
    panel.setSnapshot(test::exampleSnapshot());
    EXPECT_EQ(panel.findChild<QLineEdit*>(QStringLiteral("scopeFilter"))->text(), QString());
    EXPECT_FALSE(box->isChecked());
    EXPECT_TRUE(rowOf(*panel.tree(TreeKind::Execution), "conv1").isValid());
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
        EXPECT_FALSE(rowOf(*panel.tree(kind), "conv1").isValid());
    for (const TreeKind kind : {TreeKind::Execution, TreeKind::Storage})
        EXPECT_TRUE(rowOf(*panel.tree(kind), "Gemm").isValid());
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
    EXPECT_FALSE(rowOf(storage, "shape").isValid());
    auto* box = panel.findChild<QCheckBox*>(QStringLiteral("withConstants"));
    box->setChecked(true);
    const QModelIndex row = rowOf(storage, "shape");
    ASSERT_TRUE(row.isValid());
    EXPECT_EQ(row.siblingAtColumn(ScopeTreeModel::StateColumn).data().toString(), QStringLiteral("constant"));
    EXPECT_EQ(row.siblingAtColumn(ScopeTreeModel::NodesColumn).data().toString(), QStringLiteral("1"));
    EXPECT_FALSE(rowOf(*panel.tree(TreeKind::Execution), "shape").isValid());
    box->setChecked(false);
    EXPECT_FALSE(rowOf(storage, "shape").isValid());
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
