// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_tree_model.h"

#include "tests/support/model_builder.h"
#include "tests/views/support/snapshot_builder.h"
#include "tests/views/support/text_tree.h"
#include "views/trees/scope_filter.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

using Model = ScopeTreeModel;

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

QModelIndex find(const QAbstractItemModel& model, const char* text)
{
    const auto found = model.match(
        model.index(0, 0), Qt::DisplayRole, QString::fromUtf8(text), 1, Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? QModelIndex() : found.front();
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
        const QModelIndex row = find(tree.model, name);
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
    const QModelIndex row = find(tree.model, "If [else]");
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
    ScopeFilter filter;
    filter.setSourceModel(&tree.model);
    (void)test::printTree(filter, {Model::NameColumn}); // every row is known to the filter
    QSignalSpy changes(&filter, &QAbstractItemModel::dataChanged);
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
    ScopeFilter filter;
    QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::Fatal);
    filter.setSourceModel(&tree.model);
    (void)test::printTree(filter, {Model::NameColumn});
    QSignalSpy layouts(&filter, &QAbstractItemModel::layoutChanged);
    QSignalSpy removals(&filter, &QAbstractItemModel::rowsRemoved);
    filter.beginWanted(QStringLiteral("conv"), false);
    filter.showWanted();
    EXPECT_EQ(filter.rowCount(filter.index(0, 0, filter.index(0, 0))), 200);
    EXPECT_EQ(filter.shownRows(), 202U);
    filter.beginWanted(QStringLiteral("Conv "), false); // the same
    filter.showWanted();
    EXPECT_EQ(layouts.count(), 1);
    EXPECT_EQ(removals.count(), 0);
}

TEST(ScopeFilter, LooksAtRowsInPiecesAndShowsThemAtTheEnd)
{
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(manyNodes(1, 400));
    ScopeFilter filter;
    filter.setSourceModel(&tree.model);
    EXPECT_EQ(filter.shownRows(), 402U);
    filter.beginWanted(QStringLiteral("conv"), false);
    EXPECT_FALSE(filter.look(100));
    EXPECT_TRUE(filter.isChanging());
    EXPECT_EQ(filter.shownRows(), 402U); // as before
    EXPECT_FALSE(filter.look(301));
    EXPECT_TRUE(filter.look(1));
    filter.showWanted();
    EXPECT_FALSE(filter.isChanging());
    EXPECT_EQ(filter.shownRows(), 202U);
}

TEST(ScopeFilter, BeginsAnewWithTheRowsOfAnotherModel)
{
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(manyNodes(1, 400));
    ScopeFilter filter;
    filter.setSourceModel(&tree.model);
    filter.beginWanted(QStringLiteral("conv"), false);
    EXPECT_FALSE(filter.look(300));
    tree.model.setSnapshot(manyNodes(1, 200));
    EXPECT_FALSE(filter.look(201));
    EXPECT_TRUE(filter.look(1));
    filter.showWanted();
    EXPECT_EQ(filter.shownRows(), 102U);
}

TEST(ScopeFilter, FindsInAnyLettersAndForgetsWhatWasOfAnotherModel)
{
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(test::makeSnapshot({{"Größe", "Conv", "a", {"a"}, {}}, {"other", "Conv", "b", {"b"}, {}}}));
    ScopeFilter filter;
    filter.setSourceModel(&tree.model);
    filter.beginWanted(QStringLiteral("GRÖSSE"), false);
    filter.showWanted();
    EXPECT_EQ(filter.rowCount(), 0);
    filter.beginWanted(QStringLiteral("GRÖ"), false);
    filter.showWanted();
    EXPECT_EQ(filter.shownRows(), 3U);
    tree.model.setSnapshot(manyNodes(2, 2));
    EXPECT_EQ(filter.rowCount(), 0);
    filter.beginWanted({}, false);
    filter.showWanted();
    EXPECT_EQ(filter.shownRows(), 7U);
}

TEST(ScopeTreeModel, ToolTipOfADifferingNodeSaysWhy)
{
    CheckedTree tree(TreeKind::Execution);
    tree.model.setSnapshot(test::exampleSnapshot());
    const QModelIndex gemm = tree.model.index(0, 0, find(tree.model, "@enc.proj"));
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
    const QModelIndex weight = tree.model.index(0, 0, find(tree.model, "lin"));
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
    ScopeFilter filter;
    QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::Fatal);
    filter.setSourceModel(&tree.model);
    filter.beginWanted(QStringLiteral("BLK relu"), false);
    filter.showWanted();
    EXPECT_EQ(test::printTree(filter, {Model::NameColumn}), R"(
(model)
  blk
    Relu
  blk#1
    Relu
)");
    filter.beginWanted({}, true);
    filter.showWanted();
    EXPECT_EQ(test::printTree(filter, {Model::NameColumn}), R"(
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
