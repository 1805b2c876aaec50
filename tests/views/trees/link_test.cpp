// SPDX-License-Identifier: Apache-2.0
#include "tests/views/support/snapshot_builder.h"
#include "views/trees/link_layout.h"
#include "views/trees/link_mark.h"
#include "views/trees/link_painter.h"
#include "views/trees/link_text.h"

#include <random>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

struct BothTrees {
    explicit BothTrees(const std::shared_ptr<const Snapshot>& snapshot)
        : execution(makeTreeContent(TreeKind::Execution, snapshot))
        , storage(makeTreeContent(TreeKind::Storage, snapshot))
        , sets(makeLinkSets(execution, storage, {}))
    {
    }

    /// The row of a scope, closed: it stands for everything below.
    [[nodiscard]] static LinkRow closed(const TreeContent& content, const char* path, int y = 0)
    {
        return {y, content.rows[content.rowOfScope[content.tree().find(path).index]].span};
    }
    /// The same, open: it stands for itself.
    [[nodiscard]] static LinkRow open(const TreeContent& content, const char* path, int y = 0)
    {
        LinkRow row = closed(content, path, y);
        row.span.end = row.span.begin + 1;
        return row;
    }

    TreeContent execution;
    TreeContent storage;
    LinkSets sets;
};

/// "0-1" between rows, "0-^" and "v-1" to what is out of sight, with the signs of the line.
std::string print(const std::vector<Link>& links)
{
    std::string text;
    for (const Link& link : links) {
        const std::string away = link.end == LinkEnd::Above ? "^" : "v";
        text += (text.empty() ? "" : " ") + (link.execution ? std::to_string(*link.execution) : away) + "-"
            + (link.storage ? std::to_string(*link.storage) : away);
        text += std::string(link.differs ? "≠" : "") + (link.isGuess ? "?" : "") + (link.isSelected ? "*" : "");
    }
    return text;
}

TEST(LinkIndex, FindsTheNextPlaceAsASearchOfAllPointsDoes)
{
    std::mt19937 engine(7);
    const auto below = [&engine](std::uint32_t limit) { return static_cast<std::uint32_t>(engine() % limit); };
    std::vector<LinkPoint> points;
    for (int i = 0; i < 300; ++i)
        points.push_back({below(100), below(100), {}});
    const LinkIndex index(points);
    for (int i = 0; i < 2000; ++i) {
        const std::uint32_t begin = below(101);
        const RowSpan rows{begin, begin + below(40)};
        const std::uint32_t from = below(101);
        std::uint32_t expected = LinkIndex::kNone;
        for (const LinkPoint& point : points) {
            if (point.execution >= rows.begin && point.execution < rows.end && point.storage >= from)
                expected = std::min(expected, point.storage);
        }
        ASSERT_EQ(index.next(TreeKind::Execution, rows, from), expected);
    }
}

TEST(LinkIndex, IsEmptyWithoutPoints)
{
    EXPECT_EQ(LinkIndex().next(TreeKind::Execution, {0, 10}, 0), LinkIndex::kNone);
    EXPECT_EQ(LinkIndex(std::vector<LinkPoint>()).next(TreeKind::Storage, {0, 10}, 0), LinkIndex::kNone);
}

TEST(LinkLayout, ClosedRowsStandForWhatIsBelow)
{
    const BothTrees trees(test::exampleSnapshot());
    const std::vector<LinkRow> execution
        = {BothTrees::closed(trees.execution, "conv1"), BothTrees::closed(trees.execution, "blk"),
            BothTrees::closed(trees.execution, "blk#1"), BothTrees::closed(trees.execution, "dec")};
    const std::vector<LinkRow> storage
        = {BothTrees::closed(trees.storage, "conv1"), BothTrees::closed(trees.storage, "blk"),
            BothTrees::closed(trees.storage, "enc"), BothTrees::closed(trees.storage, "aux")};
    EXPECT_EQ(print(layoutLinks(trees.sets, execution, storage)), "0-0 1-1≠ 2-1≠ 3-2≠");
    EXPECT_EQ(print(layoutLinks(trees.sets, std::vector{BothTrees::closed(trees.execution, "")},
                  std::vector{BothTrees::closed(trees.storage, "")})),
        "0-0≠");
}

TEST(LinkLayout, OpenScopesLeaveTheLinksToTheRowsBelow)
{
    const BothTrees trees(test::exampleSnapshot());
    const std::vector<LinkRow> execution
        = {BothTrees::open(trees.execution, "blk"), BothTrees::closed(trees.execution, "blk/lin")};
    const std::vector<LinkRow> storage = {BothTrees::closed(trees.storage, "blk")};
    EXPECT_EQ(print(layoutLinks(trees.sets, execution, storage)), "1-0≠ v-0≠"); // the second call is further down
}

TEST(LinkLayout, LinksLeaveWhereTheOtherEndIsOutOfSight)
{
    const BothTrees trees(test::exampleSnapshot());
    const std::vector<LinkRow> execution
        = {BothTrees::closed(trees.execution, "conv1"), BothTrees::closed(trees.execution, "blk")};
    const std::vector<LinkRow> storage = {BothTrees::closed(trees.storage, "enc")};
    EXPECT_EQ(print(layoutLinks(trees.sets, execution, storage)), "0-^ 1-^≠ v-0≠");
}

TEST(LinkLayout, SelectedNodesStandOut)
{
    BothTrees trees(test::exampleSnapshot());
    selectInPlace(trees.sets, {NodeId(3)});
    const std::vector<LinkRow> execution
        = {BothTrees::closed(trees.execution, "blk"), BothTrees::closed(trees.execution, "blk#1")};
    const std::vector<LinkRow> storage = {BothTrees::closed(trees.storage, "blk")};
    EXPECT_EQ(print(layoutLinks(trees.sets, execution, storage)), "0-0≠ 1-0≠*");
}

TEST(LinkLayout, OnlyAGuessIsDrawnAsAGuess)
{
    const auto example = test::exampleSnapshot();
    auto scopes = std::make_shared<Scopes>(*example->scopes);
    scopes->nodes[0].storageFrom = Provenance::Guess;
    scopes->nodes[1].executionFrom = Provenance::Guess;
    auto snapshot = std::make_shared<Snapshot>(*example);
    snapshot->scopes = scopes;
    const BothTrees trees(snapshot);
    const std::vector<LinkRow> storage
        = {BothTrees::closed(trees.storage, "conv1"), BothTrees::closed(trees.storage, "blk")};
    EXPECT_EQ(print(layoutLinks(trees.sets,
                  std::vector{BothTrees::closed(trees.execution, "conv1"), BothTrees::closed(trees.execution, "blk")},
                  storage)),
        "0-0? 1-1≠? v-1≠");
    EXPECT_EQ(print(layoutLinks(trees.sets, std::vector{BothTrees::closed(trees.execution, "")}, storage)),
        "0-0? 0-1≠ 0-v≠"); // one of the two calls is known
}

TEST(LinkLayout, FilteredRowsHaveNoLinks)
{
    const auto snapshot = test::exampleSnapshot();
    BothTrees trees(snapshot);
    trees.sets = makeLinkSets(trees.execution, trees.storage, [&](TreeKind kind, std::size_t row) {
        const TreeContent& content = kind == TreeKind::Execution ? trees.execution : trees.storage;
        return content.rows[row].kind != ScopeRow::Kind::Node
            || snapshot->scopes->nodes[content.rows[row].node.index].differs;
    });
    EXPECT_EQ(trees.sets.points.size(), 3U);
    EXPECT_EQ(print(layoutLinks(trees.sets, std::vector{BothTrees::closed(trees.execution, "conv1")},
                  std::vector{BothTrees::closed(trees.storage, "conv1")})),
        "");
}

TEST(LinkMark, SaysWhatHasNoCounterpartOrSeveral)
{
    const auto snapshot = test::makeSnapshot({
        {"/conv/Conv", "Conv", "conv", {"conv", "bn"}, {"conv.weight", "bn.weight"}, NodeState::Quantized,
            {Reason::FoldedProducers}},
        {"/act/Relu", "Relu", "act", {}, {}, NodeState::Fused},
    });
    auto scopes = std::make_shared<Scopes>(*snapshot->scopes);
    scopes->storage.scopes[scopes->storage.find("bn").index].calls = 3;
    scopes->neverExecuted = {"conv"}; // whatever it says, the row shows it
    auto changed = std::make_shared<Snapshot>(*snapshot);
    changed->scopes = scopes;
    const BothTrees trees(changed);
    const auto text = [](const TreeContent& content, std::size_t row, bool isOpen) {
        const LinkMark mark = markOf(content, content.rows[row], isOpen);
        return markSentence(content, content.rows[row], mark).toStdString() + " | " + markText(mark).toStdString();
    };
    const auto rowOf = [](const TreeContent& content, const char* path) {
        return content.rowOfScope[content.tree().find(path).index];
    };
    EXPECT_EQ(text(trees.execution, trees.execution.rowsOfNode.of(NodeId(0)).front(), false),
        "/conv/Conv\nFolded: 1 node (execution) for the parameters of 2 modules (storage). | 2:1");
    EXPECT_EQ(text(trees.execution, rowOf(trees.execution, "act"), false),
        "act\nNo parameters: it stands nowhere in the storage tree. | ");
    EXPECT_EQ(text(trees.execution, rowOf(trees.execution, "act"), true), " | ");
    EXPECT_EQ(text(trees.storage, rowOf(trees.storage, "bn"), false),
        "bn\nShared: 1 module (storage) that runs 3 times (execution). | 1:3");
    EXPECT_EQ(text(trees.storage, rowOf(trees.storage, "conv"), false),
        "conv\nNever executed: no node reads it, so it stands nowhere in the execution tree. | ");
    EXPECT_EQ(text(trees.storage, 0, false), "(root)\n1 of the modules below never run. | ✕ 1");
}

TEST(LinkText, SaysTheRelationInWords)
{
    const BothTrees trees(test::exampleSnapshot());
    const std::vector<LinkRow> execution
        = {BothTrees::closed(trees.execution, "conv1"), BothTrees::closed(trees.execution, "")};
    const std::vector<LinkRow> storage = {BothTrees::closed(trees.storage, "")};
    const auto links = layoutLinks(trees.sets, execution, storage);
    ASSERT_EQ(links.size(), 2U);
    EXPECT_EQ(linkText(trees.sets, trees.execution, links[0]).toStdString(),
        "/conv1/Conv\nOne to one: runs in conv1, where the parameters it reads live.");
    EXPECT_EQ(linkText(trees.sets, trees.execution, links[1]).toStdString(),
        "4 nodes\nrun in: blk#1/lin#1, blk/lin, conv1, 1 more\nread parameters of: blk.lin, conv1, enc.proj\n"
        "3 run and live in different scopes.");
}

TEST(LinkPainter, CurvesJoinTheRowsAndAreHit)
{
    LinkScene scene;
    scene.area = QRect(0, 20, 60, 200);
    scene.execution = {{{30, {}}, 0, {}}, {{130, {}}, 0, {}}};
    scene.storage = {{{90, {}}, 0, {}}};
    scene.links.resize(2);
    scene.links[0].execution = 0;
    scene.links[0].storage = 0;
    scene.links[1].execution = 1;
    scene.links[1].end = LinkEnd::Above;
    EXPECT_EQ(linkPath(scene, scene.links[0]).pointAtPercent(0), QPointF(0, 30));
    EXPECT_EQ(linkPath(scene, scene.links[0]).pointAtPercent(1), QPointF(60, 90));
    EXPECT_LT(linkPath(scene, scene.links[1]).pointAtPercent(1).y(), 30);
    EXPECT_EQ(linkAt(scene, {30, 60}, 4), std::optional<std::size_t>(0));
    EXPECT_EQ(linkAt(scene, {2, 129}, 4), std::optional<std::size_t>(1));
    EXPECT_EQ(linkAt(scene, {30, 200}, 4), std::nullopt);
}

} // namespace
} // namespace duo::ui
