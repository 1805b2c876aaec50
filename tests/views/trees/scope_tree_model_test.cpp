// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_tree_model.h"

#include "tests/support/model_builder.h"
#include "tests/views/support/snapshot_builder.h"
#include "tests/views/support/text_tree.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

using Model = ScopeTreeModel;
using test::findRow;

struct CheckedTree {
    explicit CheckedTree(TreeKind kind)
        : model(kind)
        , tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal)
    {
    }
    Model model;
    QAbstractItemModelTester tester;
};

RuleSet ignoring(RuleKind kind, const std::string& value)
{
    RuleSet rules;
    rules.rules.emplace_back();
    rules.rules.back().kind = kind;
    rules.rules.back().value = value;
    return rules;
}

TEST(ScopeTreeModel, ExecutionTreeListsScopesAndNodesInTheOrderTheyRun)
{
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(test::exampleSnapshot());
    EXPECT_EQ(test::printTree(tree.model, {Model::NameColumn, Model::StateColumn, Model::DiffersColumn}), R"(
(model) | ◪ 4/7 | ≠ 3
  conv1 | ■ quantized
    Conv | ■ quantized
  blk | ◪ 1/2 | ≠ 1
    lin | ■ quantized | ≠ 1
      Gemm | ■ quantized | ≠
    Relu | ▪ fused
  blk#1 | ◪ 1/2 | ≠ 1
    lin#1 | ■ quantized | ≠ 1
      Gemm | ■ quantized | ≠
    Relu | ▪ fused
  dec | ■ quantized | ≠ 1
    @enc.proj | ■ quantized | ≠ 1
      Gemm | ■ quantized | ≠
  Softmax | – unsupported
)");
}

TEST(ScopeTreeModel, NodesOfConstantsStandWhereTheirReaderRuns)
{
    // The exporter puts the node that copies a weight at the start of the file.
    const auto model = test::ModelBuilder()
                           .input("x", {1, 2})
                           .weight("w", {2, 2})
                           .node("Identity", "copy", {"w"}, {"w2"})
                           .node("Relu", "/a/Relu", {"x"}, {"a"})
                           .node("Gemm", "/b/Gemm", {"a", "w2"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_EQ(runOrder(*model), (std::vector<std::uint32_t>{2, 1, 2}));
}

TEST(ScopeTreeModel, StorageTreeListsParametersNodesAndWhatNeverRuns)
{
    CheckedTree tree(TreeKind::Storage);
    tree.model.setSnapshot(test::exampleSnapshot());
    EXPECT_EQ(
        test::printTree(tree.model,
            {Model::NameColumn, Model::StateColumn, Model::NodesColumn, Model::ParametersColumn, Model::BytesColumn}),
        R"(
(model) | ■ quantized | 4 | 16 | 64 B
  conv1 | ■ quantized | 1 | 8 | 32 B
    weight | 1 | 4 | 16 B
    bias | 1 | 4 | 16 B
    Conv | ■ quantized
  blk | ■ quantized | 2 | 4 | 16 B
    lin | ■ quantized | 2 | 4 | 16 B
      weight | 2 | 4 | 16 B
      Gemm | ■ quantized
      Gemm | ■ quantized
  enc | ■ quantized | 1 | 4 | 16 B
    proj | ■ quantized | 1 | 4 | 16 B
      weight | 1 | 4 | 16 B
      Gemm | ■ quantized
  aux | ✕ never executed | 0
    weight | ✕ never executed | 0
)");
}

TEST(ScopeTreeModel, AParameterWhoseOwnerIsAGuessIsReadByWhoReadsIt)
{
    Snapshot snapshot;
    snapshot.model = test::ModelBuilder()
                         .input("x", {1, 4})
                         .weight("w0", {4, 4}, std::vector<float>(16, 1))
                         .weight("w1", {4, 4}, std::vector<float>(16, 2))
                         .node("MatMul", "/a/fc/MatMul", {"x", "w0"}, {"h"})
                         .node("MatMul", "/b/fc/MatMul", {"h", "w1"}, {"y"})
                         .output("y")
                         .build();
    snapshot.scopes = std::make_shared<const Scopes>(findScopes(*snapshot.model));
    CheckedTree tree(TreeKind::Storage);
    tree.model.setSnapshot(std::make_shared<const Snapshot>(std::move(snapshot)));
    for (const char* name : {"w0", "w1"}) {
        const QModelIndex row = findRow(tree.model, name);
        ASSERT_TRUE(row.isValid()) << test::printTree(tree.model, {Model::NameColumn, Model::StateColumn});
        EXPECT_EQ(row.siblingAtColumn(Model::StateColumn).data().toString(), QString()) << name;
        EXPECT_EQ(row.siblingAtColumn(Model::NodesColumn).data().toString(), QStringLiteral("1")) << name;
    }
}

TEST(ScopeTreeModel, ABodyIsARowAndSaysWhetherItNeverRuns)
{
    const auto made = test::makeSnapshot({{"/net/If::then_branch::a", "Relu", "net/If [then]", {}, {}},
        {"/net/If::else_branch::b", "Relu", "net/If [else]/act", {}, {}}});
    auto snapshot = std::make_shared<Snapshot>(*made);
    auto scopes = std::make_shared<Scopes>(*made->scopes);
    for (const char* path : {"net/If [else]", "net/If [else]/act"})
        scopes->execution.scopes[scopes->execution.find(path).index].neverRuns = true;
    snapshot->scopes = scopes;
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(snapshot);
    EXPECT_EQ(test::printTree(tree.model, {Model::NameColumn, Model::StateColumn}), R"(
(model) | ■ quantized
  net | ■ quantized
    If [then] | ■ quantized
      If::then_branch::a (Relu) | ■ quantized
    If [else] | ✕ never runs
      act | ✕ never runs
        If::else_branch::b (Relu) | ■ quantized
)");
    const QModelIndex row = findRow(tree.model, "If [else]");
    EXPECT_TRUE(row.data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("Never runs: the condition of its body is constant.")));
}

TEST(ScopeTreeModel, NamesTurnNoDirectionAndHaveNoControls)
{
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(test::makeSnapshot({{"\u202Egnp.exe", "Relu", "a\u202Ek", {}, {}, NodeState::Fused, {}},
        {"\x1B[31m\nred", "Relu", "", {}, {}, NodeState::Fused, {}}}));
    EXPECT_EQ(test::printTree(tree.model, {Model::NameColumn}), R"(
(model)
  a?k
    ?gnp.exe (Relu)
  ?[31m\nred (Relu)
)");
}

TEST(ScopeTreeModel, NewRulesChangeStatesWithoutAReset)
{
    CheckedTree tree(TreeKind::Execution);
    const auto snapshot = test::exampleSnapshot();
    tree.model.setSnapshot(snapshot);
    QSignalSpy resets(&tree.model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&tree.model, &QAbstractItemModel::dataChanged);
    tree.model.setSnapshot(test::withRules(*snapshot, ignoring(RuleKind::ExecutionScope, "blk")));
    EXPECT_EQ(resets.count(), 0);
    EXPECT_EQ(changes.count(), 4); // root, blk, lin and Relu together, Gemm
    EXPECT_EQ(test::printTree(tree.model, {Model::NameColumn, Model::StateColumn}), R"(
(model) | ◪ 3/7, ⊘ 2
  conv1 | ■ quantized
    Conv | ■ quantized
  blk | ⊘ ignored
    lin | ⊘ ignored
      Gemm | ⊘ ignored
    Relu | ⊘ ignored
  blk#1 | ◪ 1/2
    lin#1 | ■ quantized
      Gemm | ■ quantized
    Relu | ▪ fused
  dec | ■ quantized
    @enc.proj | ■ quantized
      Gemm | ■ quantized
  Softmax | – unsupported
)");
}

/// Nodes "n0", "n1"…, `width` of them in each of the scopes "s0", "s1"…; every second is a Conv
std::shared_ptr<const Snapshot> manyNodes(int scopes, int width)
{
    std::vector<test::NodeLine> lines;
    for (int i = 0; i < scopes * width; ++i) {
        const std::string scope = "s" + std::to_string(i / width);
        lines.push_back({"n" + std::to_string(i), i % 2 == 0 ? "Conv" : "Relu", scope, {scope}, {}});
    }
    return test::makeSnapshot(lines);
}

TEST(ScopeTreeModel, SiblingsThatChangeAreAnnouncedTogether)
{
    CheckedTree tree(TreeKind::Execution);
    const auto snapshot = manyNodes(1, 400);
    tree.model.setSnapshot(snapshot);
    QSignalSpy changes(&tree.model, &QAbstractItemModel::dataChanged);
    tree.model.setSnapshot(test::withRules(*snapshot, ignoring(RuleKind::Type, "Conv")));
    ASSERT_EQ(changes.count(), 3); // root, scope, its nodes
    EXPECT_EQ(changes.back()[0].value<QModelIndex>().row(), 0);
    EXPECT_EQ(changes.back()[1].value<QModelIndex>().row(), 398);
}

TEST(ScopeTreeModel, ChangesInManyPlacesAreAnnouncedOnce)
{
    CheckedTree tree(TreeKind::Execution);
    const auto snapshot = manyNodes(100, 4);
    tree.model.setSnapshot(snapshot);
    QSignalSpy changes(&tree.model, &QAbstractItemModel::dataChanged);
    tree.model.setSnapshot(test::withRules(*snapshot, ignoring(RuleKind::Type, "Conv")));
    ASSERT_EQ(changes.count(), 1);
    EXPECT_FALSE(changes.front()[0].value<QModelIndex>().parent().isValid());
    tree.model.setPreview({NodeId(0), NodeId(50), NodeId(100)});
    EXPECT_LE(changes.count(), 1 + static_cast<int>(Model::kMostAnnounced));
}

TEST(ScopeFilter, ChangesAllRowsAtOnce)
{
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(manyNodes(1, 400));
    QSignalSpy layouts(&tree.model, &QAbstractItemModel::layoutChanged);
    QSignalSpy removals(&tree.model, &QAbstractItemModel::rowsRemoved);
    tree.model.filter().beginWanted(QStringLiteral("conv"), false);
    tree.model.showWanted();
    EXPECT_EQ(tree.model.rowCount(tree.model.index(0, 0, tree.model.index(0, 0))), 200);
    EXPECT_EQ(tree.model.shown().count(), 202U);
    tree.model.filter().beginWanted(QStringLiteral("Conv "), false); // the same
    tree.model.showWanted();
    EXPECT_EQ(layouts.count(), 1);
    EXPECT_EQ(removals.count(), 0);
}

TEST(ScopeFilter, LooksAtRowsInPiecesAndShowsThemAtTheEnd)
{
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(manyNodes(1, 400));
    EXPECT_EQ(tree.model.shown().count(), 402U);
    tree.model.filter().beginWanted(QStringLiteral("conv"), false);
    EXPECT_FALSE(tree.model.filter().look(tree.model.content(), 100));
    EXPECT_TRUE(tree.model.filter().isChanging());
    EXPECT_EQ(tree.model.shown().count(), 402U); // as before
    EXPECT_FALSE(tree.model.filter().look(tree.model.content(), 301));
    EXPECT_TRUE(tree.model.filter().look(tree.model.content(), 1));
    tree.model.showWanted();
    EXPECT_FALSE(tree.model.filter().isChanging());
    EXPECT_EQ(tree.model.shown().count(), 202U);
}

TEST(ScopeFilter, BeginsAnewWithTheRowsOfAnotherModel)
{
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(manyNodes(1, 400));
    tree.model.filter().beginWanted(QStringLiteral("conv"), false);
    EXPECT_FALSE(tree.model.filter().look(tree.model.content(), 300));
    tree.model.setSnapshot(manyNodes(1, 200));
    EXPECT_FALSE(tree.model.filter().look(tree.model.content(), 201));
    EXPECT_TRUE(tree.model.filter().look(tree.model.content(), 1));
    tree.model.showWanted();
    EXPECT_EQ(tree.model.shown().count(), 102U);
}

TEST(ScopeFilter, FindsInAnyLettersAndForgetsWhatWasOfAnotherModel)
{
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(test::makeSnapshot({{"Größe", "Conv", "a", {"a"}, {}}, {"other", "Conv", "b", {"b"}, {}}}));
    tree.model.filter().beginWanted(QStringLiteral("GRÖSSE"), false);
    tree.model.showWanted();
    EXPECT_EQ(tree.model.rowCount(), 0);
    tree.model.filter().beginWanted(QStringLiteral("GRÖ"), false);
    tree.model.showWanted();
    EXPECT_EQ(tree.model.shown().count(), 3U);
    tree.model.setSnapshot(manyNodes(2, 2));
    EXPECT_EQ(tree.model.rowCount(), 0);
    tree.model.filter().beginWanted({}, false);
    tree.model.showWanted();
    EXPECT_EQ(tree.model.shown().count(), 7U);
}

TEST(ScopeTreeModel, ToolTipOfADifferingNodeSaysWhy)
{
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(test::exampleSnapshot());
    const QModelIndex gemm = tree.model.index(0, 0, findRow(tree.model, "@enc.proj"));
    EXPECT_EQ(gemm.data(Qt::ToolTipRole).toString().toStdString(),
        "/dec/proj/Gemm\nquantized: its inputs are quantized\n"
        "Runs in dec/@enc.proj, reads parameters of enc.proj: a module is called by one that does not contain it.");
}

TEST(ScopeTreeModel, ScopeOfTheOtherTreeIsCoveredByTheFewestRows)
{
    CheckedTree tree(TreeKind::Execution);
    const auto snapshot = test::exampleSnapshot();
    tree.model.setSnapshot(snapshot);
    const auto blk = snapshot->scopes->storage.find("blk");
    const auto indexes = tree.model.indexesOf(selectScope(*snapshot->scopes, TreeKind::Storage, blk));
    ASSERT_EQ(indexes.size(), 2);
    EXPECT_EQ(indexes[0].data().toString().toStdString(), "lin");
    EXPECT_EQ(indexes[1].data().toString().toStdString(), "lin#1");
}

TEST(ScopeTreeModel, ParameterRowStandsForTheNodesThatReadIt)
{
    CheckedTree tree(TreeKind::Storage);
    tree.model.setSnapshot(test::exampleSnapshot());
    const QModelIndex weight = tree.model.index(0, 0, findRow(tree.model, "lin"));
    EXPECT_EQ(weight.data().toString().toStdString(), "weight");
    EXPECT_EQ(weight.data(Model::QuietRole).toString().toStdString(), "[2, 2]");
    EXPECT_EQ(tree.model.selectionAt(weight), selectNodes({NodeId(1), NodeId(3)}));
}

TEST(ScopeTreeModel, EmptiesWhenTheModelIsClosed)
{
    CheckedTree tree(TreeKind::Storage);
    tree.model.setSnapshot(test::exampleSnapshot());
    tree.model.setSnapshot(nullptr);
    EXPECT_EQ(tree.model.rowCount(), 0);
    EXPECT_TRUE(tree.model.indexesOf(selectNode(NodeId(0))).isEmpty());
}

TEST(ScopeFilter, ShowsOnlyMatchesAndTheirScopes)
{
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(test::exampleSnapshot());
    tree.model.filter().beginWanted(QStringLiteral("BLK relu"), false);
    tree.model.showWanted();
    EXPECT_EQ(test::printTree(tree.model, {Model::NameColumn}), R"(
(model)
  blk
    Relu
  blk#1
    Relu
)");
    tree.model.filter().beginWanted({}, true);
    tree.model.showWanted();
    EXPECT_EQ(test::printTree(tree.model, {Model::NameColumn}), R"(
(model)
  blk
    lin
      Gemm
  blk#1
    lin#1
      Gemm
  dec
    @enc.proj
      Gemm
)");
}

TEST(ScopeFilter, WhatAViewKeepsGoesWithItsRow)
{
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(test::exampleSnapshot());
    const QPersistentModelIndex gone = findRow(tree.model, "conv1");
    const QPersistentModelIndex kept = findRow(tree.model, "blk#1").siblingAtColumn(Model::StateColumn);
    ASSERT_EQ(kept.row(), 2);
    tree.model.filter().beginWanted(QStringLiteral("blk relu"), false);
    tree.model.showWanted();
    EXPECT_FALSE(gone.isValid());
    EXPECT_EQ(kept.row(), 1);
    EXPECT_EQ(kept.data().toString(), QStringLiteral("◪ 1/2"));
}

TEST(ScopeTreeModel, NothingIsEverBelowNodesAndParameters)
{
    CheckedTree tree(TreeKind::Storage);
    tree.model.setSnapshot(test::exampleSnapshot());
    EXPECT_TRUE(findRow(tree.model, "weight").flags().testFlag(Qt::ItemNeverHasChildren));
    EXPECT_TRUE(findRow(tree.model, "Conv").flags().testFlag(Qt::ItemNeverHasChildren));
    EXPECT_FALSE(findRow(tree.model, "conv1").flags().testFlag(Qt::ItemNeverHasChildren));
}

/// Qt keeps indexes in a table by the sum of their number and row; without gaps in it, to forget one takes as long as
/// there are others.
TEST(ScopeTreeModel, NumbersOfIndexesLeaveGaps)
{
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(manyNodes(400, 1));
    constexpr std::uint64_t kPlaces = 2048; // for 801 rows
    std::set<std::uint64_t> taken;
    for (std::size_t row = 0; row < tree.model.content().rows.size(); ++row) {
        const QModelIndex index = tree.model.indexOfRow(row);
        EXPECT_EQ(Model::rowOf(index), row);
        taken.insert((index.internalId() + (static_cast<std::uint64_t>(index.row()) << 4U)) % kPlaces);
    }
    std::uint64_t longest = 0;
    std::uint64_t run = 0;
    for (std::uint64_t place = 0; place < kPlaces; ++place) {
        run = taken.contains(place) ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    EXPECT_GT(taken.size(), 500U);
    EXPECT_LT(longest, 40U);
}

TEST(ScopeTreeModel, PreviewMarksNodesAndTheScopesAboveThem)
{
    ScopeTreeModel model(TreeKind::Execution);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto snapshot = test::exampleSnapshot();
    model.setSnapshot(snapshot);
    model.setPreview({NodeId(1)}); // blk/lin, beside blk's Relu
    const auto previewOf = [&](const Selection& selection) {
        return static_cast<ScopeTreeModel::Preview>(
            model.indexesOf(selection).front().data(ScopeTreeModel::PreviewRole).toInt());
    };
    const auto scope = [&](const char* path) {
        return selectScope(*snapshot->scopes, TreeKind::Execution, snapshot->scopes->execution.find(path));
    };
    EXPECT_EQ(previewOf(selectNode(NodeId(1))), ScopeTreeModel::Preview::All);
    EXPECT_EQ(previewOf(scope("blk/lin")), ScopeTreeModel::Preview::All);
    EXPECT_EQ(previewOf(scope("blk")), ScopeTreeModel::Preview::Some);
    EXPECT_EQ(previewOf(scope("conv1")), ScopeTreeModel::Preview::None);
    model.setPreview({});
    EXPECT_EQ(previewOf(selectNode(NodeId(1))), ScopeTreeModel::Preview::None);
}

} // namespace
} // namespace duo::ui
