// SPDX-License-Identifier: Apache-2.0
// A tree of many rows: what is open, selected and filtered in it.
#include "views/trees/scope_tree_view.h"

#include "tests/views/support/scope_trees.h"
#include "tests/views/support/snapshot_builder.h"
#include "views/trees/scope_trees_panel.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include <functional>

namespace duo::ui {
namespace {

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

TEST(ScopeTreeView, OfManySelectedNodesThoseInClosedScopesStaySelectedToo)
{
    ScopeTreesPanel panel;
    panel.resize(900, 400);
    panel.show();
    const auto snapshot = manyScopes();
    panel.setSnapshot(snapshot);
    panel.setSelection(everySecond(*snapshot));
    auto* tree = panel.tree(TreeKind::Execution);
    EXPECT_EQ(test::selectedNames(*tree), QStringList({QStringLiteral("a (Conv)")})); // what is in sight
    tree->expand(test::rowOf(*tree, "s7"));
    EXPECT_EQ(test::selectedNames(*tree), QStringList({QStringLiteral("a (Conv)"), QStringLiteral("a (Conv)")}))
        << "of s0, which was opened for the first one, and of s7";

    QSignalSpy selected(&panel, &ScopeTreesPanel::selected);
    tree->setCurrentIndex(test::rowOf(*tree, "s9"));
    ASSERT_EQ(selected.count(), 1);
    EXPECT_EQ(selected.front().front().value<Selection>().nodes.size(), 2U) << "a click selects that alone";
}

/// Qt goes through all that it was told of for each cell that it paints.
TEST(ScopeTreeView, OfManySelectedRowsQtIsToldOfThoseInSight)
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
        return tree->selectionModel()->isSelected(tree->model()->index(row, 0, test::rowOf(*tree, scope)));
    };
    EXPECT_LT(test::selectedNames(*tree).size(), 40);
    EXPECT_TRUE(isSelected("s0", 0));
    EXPECT_FALSE(isSelected("s0", 1));
    EXPECT_FALSE(isSelected("s399", 0));
    tree->scrollToBottom();
    EXPECT_TRUE(isSelected("s399", 0));
    EXPECT_FALSE(isSelected("s0", 0));
    EXPECT_EQ(tree->currentSelection(), everySecond(*snapshot));

    QSignalSpy selected(&panel, &ScopeTreesPanel::selected);
    const QModelIndex last = tree->model()->index(1, 0, test::rowOf(*tree, "s399"));
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

TEST(ScopeTreeView, OfVeryManyOpenScopesTheOutermostAreTold)
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

/// The same model, read from a file.
std::shared_ptr<const Snapshot> readFrom(const char* path, const Snapshot& snapshot)
{
    auto model = std::make_shared<Model>(*snapshot.model);
    model->path = path;
    auto read = std::make_shared<Snapshot>(snapshot);
    read->model = model;
    read->scopes = std::make_shared<Scopes>(*snapshot.scopes);
    return read;
}

TEST(ScopeTreeView, AFileReadAnewStaysOpenAsItWas)
{
    ScopeTreesPanel panel;
    const auto snapshot = veryManyScopes();
    panel.setSnapshot(readFrom("a.onnx", *snapshot));
    auto* tree = panel.tree(TreeKind::Execution);
    tree->expandAll();
    const auto sight = tree->sight();
    const auto isLastOpen = [&] { return tree->isExpanded(tree->model()->index(0, 0, test::rowOf(*tree, "s699"))); };
    panel.setSnapshot(readFrom("a.onnx", *snapshot));
    tree->goToSight(sight); // tells of the outermost alone
    EXPECT_TRUE(isLastOpen());
    panel.setSnapshot(readFrom("b.onnx", *snapshot));
    EXPECT_FALSE(isLastOpen());
}

TEST(ScopeTreeView, TheStarKeyOpensAllBelowAndTellsOfItOnce)
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

TEST(ScopeTreeView, AScopeOpensAgainWithManyOpenOnesInIt)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(manyScopes());
    panel.resize(900, 400);
    panel.show();
    auto* tree = panel.tree(TreeKind::Execution);
    const QModelIndex root = tree->model()->index(0, 0);
    tree->setCurrentIndex(root);
    tree->expandAll();
    const QPoint sign(tree->visualRect(root).left() - tree->indentation() / 2, tree->visualRect(root).center().y());
    const QPoint name = tree->visualRect(root).center();
    const std::vector<std::function<void()>> ways = {
        [&] { QTest::keyClick(tree, Qt::Key_Right); },
        [&] { QTest::keyClick(tree, Qt::Key_Plus); },
        [&] { QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, sign); },
        [&] { QTest::mouseDClick(tree->viewport(), Qt::LeftButton, {}, name); },
    };
    for (std::size_t way = 0; way < ways.size(); ++way) {
        QTest::keyClick(tree, Qt::Key_Left);
        ASSERT_FALSE(tree->isExpanded(root)) << way;
        ways[way]();
        EXPECT_TRUE(tree->isExpanded(root)) << way;
        EXPECT_EQ(tree->sight().open.size(), 401U) << way;
        EXPECT_EQ(tree->currentIndex(), root) << way;
    }
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, sign);
    EXPECT_FALSE(tree->isExpanded(root));
}

TEST(ScopeTreeView, ManyRowsAreSelectedByTheScopesThatHoldThem)
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
    EXPECT_EQ(tree->currentSelection().scope, (ScopeRef{TreeKind::Execution, ScopeId(0)})) << "the root";
    EXPECT_GT(test::selectedNames(*tree).size(), 10) << "and all in it is shown as selected";

    const auto firstOfScope = tree->model()->index(0, 0, test::rowOf(*tree, "s7"));
    tree->setCurrentIndex(firstOfScope); // of two, and s7 itself is not selected
    QTest::keyClick(tree, Qt::Key_End, Qt::ShiftModifier);
    EXPECT_EQ(nodes(), 2U + 392U * 2U) << "of s7, and of s8 to s399";
    EXPECT_TRUE(test::selectedNames(*tree).contains(QStringLiteral("s399"))) << "and what else is in sight,";
    EXPECT_TRUE(test::selectedNames(*tree).contains(QStringLiteral("b (Relu)"))) << "in scopes too";
    QTest::keyClick(tree, Qt::Key_Up);
    EXPECT_EQ(nodes(), 1U) << "that is above the last";
}

/// What is in sight is what is acted on.
TEST(ScopeTreeView, ARangeTakesThePlaceOfAWiderOne)
{
    ScopeTreesPanel panel;
    panel.resize(900, 400);
    panel.show();
    panel.setSnapshot(manyScopes());
    auto* tree = panel.tree(TreeKind::Execution);
    tree->collapseAll();
    tree->expand(tree->model()->index(0, 0));
    const auto click = [&](const char* name, Qt::KeyboardModifiers modifiers) {
        QTest::mouseClick(
            tree->viewport(), Qt::LeftButton, modifiers, tree->visualRect(test::rowOf(*tree, name)).center());
    };
    const auto nodes = [&] { return tree->currentSelection().nodes.size(); };
    click("s1", {});
    QTest::keyClick(tree, Qt::Key_End, Qt::ShiftModifier);
    EXPECT_EQ(nodes(), 399U * 2U);
    tree->scrollToTop();
    click("s4", Qt::ShiftModifier);
    EXPECT_EQ(nodes(), 4U * 2U) << "s1 to s4";
    EXPECT_EQ(test::selectedNames(*tree).size(), 4);
    QTest::keyClick(tree, Qt::Key_End, Qt::ShiftModifier);
    EXPECT_EQ(nodes(), 399U * 2U);
    tree->goTo(tree->content().rowOfScope[tree->content().tree().find("s3").index]);
    EXPECT_EQ(nodes(), 2U);
    click("s5", Qt::ControlModifier);
    click("s6", Qt::ShiftModifier);
    EXPECT_EQ(nodes(), 3U * 2U) << "s3 as before, s5 to s6";
}

TEST(ScopeTreeView, AllOfAFilteredTreeIsWhatItShows)
{
    ScopeTreesPanel panel;
    panel.show();
    panel.setSnapshot(manyScopes());
    auto* tree = panel.tree(TreeKind::Execution);
    test::filterBy(panel, "type:Relu scope:s7", "s3", false);
    tree->selectAll();
    EXPECT_EQ(tree->currentSelection().nodes.size(), 11U) << "one each of s7 and s70 to s79";
}

/// A selection is one thing, whatever of it a filter lets pass.
TEST(ScopeTreeView, AFilterHidesPartOfASelectionAndTakesNothingFromIt)
{
    ScopeTreesPanel panel;
    panel.resize(900, 400);
    panel.show();
    const auto snapshot = manyScopes();
    panel.setSnapshot(snapshot);
    auto* tree = panel.tree(TreeKind::Execution);
    tree->expandAll();
    const Selection three = selectNodes({NodeId(2), NodeId(14), NodeId(300)}); // a of s1, of s7, of s150
    panel.setSelection(three);
    test::filterBy(panel, "scope:s7", "s3", false);
    EXPECT_EQ(test::selectedNames(*tree), QStringList{QStringLiteral("a (Conv)")});
    EXPECT_EQ(tree->currentSelection(), three);
    test::filterBy(panel, "", "s3", true);
    EXPECT_EQ(test::selectedNames(*tree).size(), 3);
    EXPECT_EQ(tree->currentSelection(), three);
}

TEST(ScopeTreeView, ClearingAFilterOpensVeryManyScopesAgain)
{
    ScopeTreesPanel panel;
    panel.resize(900, 400);
    panel.show();
    panel.setSnapshot(veryManyScopes());
    auto* tree = panel.tree(TreeKind::Execution);
    tree->expandAll();
    tree->collapse(test::rowOf(*tree, "s3"));
    panel.setSelection(selectNode(NodeId(2 * 650)));
    const QStringList before = test::selectedNames(*tree);
    test::filterBy(panel, "scope:s7", "s3", false);
    EXPECT_TRUE(tree->isExpanded(test::rowOf(*tree, "s7"))) << "what is found is open";
    test::filterBy(panel, "", "s3", true);
    EXPECT_FALSE(tree->isExpanded(test::rowOf(*tree, "s3")));
    for (const char* scope : {"s0", "s7", "s699"}) {
        const QModelIndex index = test::rowOf(*tree, scope);
        EXPECT_TRUE(tree->isExpanded(index)) << scope;
        EXPECT_TRUE(tree->isExpanded(tree->model()->index(0, 0, index))) << scope;
    }
    EXPECT_EQ(test::selectedNames(*tree), before);
    EXPECT_TRUE(tree->viewport()->rect().intersects(tree->visualRect(tree->currentIndex())));
}

/// Events may come between the steps, other scopes too.
TEST(ScopeTreeView, AFilterIsClearedInStepsWhichAreNotSeen)
{
    ScopeTreesPanel panel;
    const auto snapshot = veryManyScopes();
    panel.setSnapshot(snapshot);
    auto* tree = panel.tree(TreeKind::Execution);
    tree->expandAll();
    const auto clear = [&] {
        tree->beginFilter(QStringLiteral("scope:s7"), false);
        tree->endFilter();
        tree->beginFilter({}, false);
        tree->endFilterStep();
    };
    clear();
    EXPECT_TRUE(tree->isFilterChanging());
    EXPECT_FALSE(tree->updatesEnabled());
    tree->endFilter();
    EXPECT_FALSE(tree->isFilterChanging());
    EXPECT_TRUE(tree->updatesEnabled());
    EXPECT_TRUE(tree->isExpanded(test::rowOf(*tree, "s3")));

    clear();
    tree->goToSight({{"", "s3"}, 0});
    tree->endFilter();
    EXPECT_EQ(tree->sight().open, (std::set<std::string>{"", "s3"}));
    tree->expandAll();

    clear();
    tree->endFilterStep(); // rows are shown, and not open yet
    auto rescoped = std::make_shared<Snapshot>(*snapshot);
    rescoped->scopes = std::make_shared<const Scopes>(*snapshot->scopes);
    panel.setSnapshot(rescoped);
    EXPECT_FALSE(tree->isFilterChanging());
    EXPECT_TRUE(tree->updatesEnabled());
    EXPECT_TRUE(tree->isExpanded(test::rowOf(*tree, "s3")));
}

TEST(ScopeTreeView, ARuleLeavesOpenWhatIsOpenBehindAFilterOfStates)
{
    ScopeTreesPanel panel;
    panel.show();
    const auto snapshot = veryManyScopes();
    panel.setSnapshot(snapshot);
    auto* tree = panel.tree(TreeKind::Execution);
    tree->expandAll();
    test::filterBy(panel, "type:Conv state:quantized", "b (Relu)", false);
    tree->expand(test::rowOf(*tree, "s5"));
    RuleSet rules;
    rules.rules.emplace_back().kind = RuleKind::ExecutionScope;
    rules.rules.back().value = "s3";
    panel.setSnapshot(test::withRules(*snapshot, rules));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !test::rowOf(*tree, "s3").isValid(); }));
    EXPECT_TRUE(tree->isExpanded(test::rowOf(*tree, "s5")));
    test::filterBy(panel, "", "s3", true);
    EXPECT_TRUE(tree->isExpanded(test::rowOf(*tree, "s699")));
}

TEST(ScopeTreeView, ConstantsThatAreAskedForAreShownWithAFilterThatWasBegun)
{
    ScopeTreesPanel panel;
    panel.setSnapshot(veryManyScopes());
    auto* tree = panel.tree(TreeKind::Storage);
    tree->expandAll();
    tree->beginFilter(QStringLiteral("scope:s7"), false);
    tree->setWithConstants(true);
    EXPECT_FALSE(test::rowOf(*tree, "s3").isValid());
    EXPECT_TRUE(tree->isExpanded(test::rowOf(*tree, "s7")));
    tree->beginFilter({}, false);
    tree->endFilter();
    EXPECT_TRUE(tree->isExpanded(test::rowOf(*tree, "s3")));
}

} // namespace
} // namespace duo::ui
