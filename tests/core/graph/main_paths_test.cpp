// SPDX-License-Identifier: Apache-2.0
#include "core/graph/main_paths.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using Kind = ViewBox::Kind;
using Edges = std::vector<std::uint32_t>;

ViewBox box(Kind kind, std::int32_t parent = -1, bool open = false)
{
    ViewBox result;
    result.kind = kind;
    result.parent = parent;
    result.open = open;
    return result;
}

ViewEdge edge(std::uint32_t from, std::uint32_t to)
{
    return {from, to, "", 1, {}};
}

MainPaths pathsOf(const ViewGraph& view)
{
    return findMainPaths(view, cutIntoLevels(view));
}

TEST(MainPaths, LeadFromAnInputToAnOutputThoughOtherPathsAreLonger)
{
    ViewGraph view; // 0 -> 3 -> 4, and 1 -> 2 -> 5 -> 3
    view.boxes
        = {box(Kind::Input), box(Kind::Node), box(Kind::Node), box(Kind::Node), box(Kind::Output), box(Kind::Node)};
    view.edges = {edge(1, 2), edge(2, 5), edge(5, 3), edge(0, 3), edge(3, 4)};
    EXPECT_EQ(pathsOf(view).whole, (Edges{3, 4}));
    view.boxes[0].kind = Kind::Node;
    EXPECT_EQ(pathsOf(view).whole, (Edges{1, 2, 4})); // 1 stands beside 2
}

TEST(MainPaths, LeadThroughClosedBoxesOfManyNodes)
{
    ViewGraph view; // 0 -> 1 -> 2 -> 4, and 0 -> (3) -> 4
    view.boxes
        = {box(Kind::Input), box(Kind::Node), box(Kind::Node), box(Kind::Scope), box(Kind::Node), box(Kind::Output)};
    view.edges = {edge(0, 1), edge(1, 2), edge(2, 4), edge(0, 3), edge(3, 4), edge(4, 5)};
    EXPECT_EQ(pathsOf(view).whole, (Edges{0, 1, 2, 5}));
    view.boxes[3].total = 3;
    EXPECT_EQ(pathsOf(view).whole, (Edges{3, 4, 5}));
}

TEST(MainPaths, LeadThroughParametersThoughOtherNodesAreMore)
{
    ViewGraph view; // tokens 0 -> 1 -> 6, and a mask 2 -> 3 -> 4 -> 5 -> 6
    view.boxes = {box(Kind::Input), box(Kind::Node), box(Kind::Input), box(Kind::Node), box(Kind::Node),
        box(Kind::Node), box(Kind::Node), box(Kind::Output)};
    view.edges = {edge(0, 1), edge(1, 6), edge(2, 3), edge(3, 4), edge(4, 5), edge(5, 6), edge(6, 7)};
    EXPECT_EQ(pathsOf(view).whole, (Edges{2, 3, 4, 5, 6}));
    view.boxes[1].parameters = 1000;
    EXPECT_EQ(pathsOf(view).whole, (Edges{0, 1, 6}));
    view.boxes[4].parameters = 1000; // of as many parameters the more nodes
    EXPECT_EQ(pathsOf(view).whole, (Edges{2, 3, 4, 5, 6}));
}

TEST(MainPaths, LeadAlongDataNotAlongTheirShape)
{
    ViewGraph view; // 0 -> 1 -> 5 -> 6, and 0 -> 2 -> 3 -> 4 -> 5 makes the state that 5 begins with
    view.boxes = {box(Kind::Input), box(Kind::Node), box(Kind::Node), box(Kind::Node), box(Kind::Node), box(Kind::Node),
        box(Kind::Output)};
    view.boxes[5].parameters = 1000;
    view.edges = {edge(0, 1), edge(1, 5), edge(0, 2), edge(2, 3), edge(3, 4), edge(4, 5), edge(5, 6)};
    EXPECT_EQ(pathsOf(view).whole, (Edges{2, 3, 4, 5, 6}));
    view.boxes[2].title = "Shape";
    EXPECT_EQ(pathsOf(view).whole, (Edges{0, 1, 6}));
    view.edges = {edge(0, 2), edge(2, 3), edge(3, 6)}; // there is no other
    EXPECT_EQ(pathsOf(view).whole, (Edges{0, 1, 2}));
}

TEST(MainPaths, LeadThroughOpenBoxesByWhatIsInside)
{
    ViewGraph view; // 0 -> [2 -> 3] -> 4, and inside 5 -> 6 -> 7 that nobody reads
    view.boxes = {box(Kind::Input), box(Kind::Scope, -1, true), box(Kind::Node, 1), box(Kind::Node, 1),
        box(Kind::Output), box(Kind::Scope, 1), box(Kind::Scope, 1), box(Kind::Scope, 1)};
    view.edges = {edge(5, 6), edge(6, 7), edge(0, 2), edge(2, 3), edge(3, 4)};
    const ViewLevels cut = cutIntoLevels(view);
    const MainPaths paths = findMainPaths(view, cut);
    EXPECT_EQ(paths.whole, (Edges{2, 3, 4}));
    ASSERT_EQ(paths.inside.size(), 2U);
    EXPECT_EQ(paths.inside[0].size(), 2U);
    ASSERT_EQ(paths.inside[1].size(), 3U); // in, across, and out
    const auto& first = cut.levels[1].edges[paths.inside[1].front()];
    const auto& last = cut.levels[1].edges[paths.inside[1].back()];
    EXPECT_EQ(cut.levels[1].ports[first.from - cut.levels[1].members.size()], Pin::Top);
    EXPECT_EQ(cut.levels[1].ports[last.to - cut.levels[1].members.size()], Pin::Bottom);
}

TEST(MainPaths, HaveOneOfTheirOwnInOpenBoxesBesideThem)
{
    ViewGraph view; // 0 -> 1 -> 2 -> 3 -> 7, and 0 -> [5 -> 6] -> 3
    view.boxes = {box(Kind::Input), box(Kind::Node), box(Kind::Node), box(Kind::Node), box(Kind::Scope, -1, true),
        box(Kind::Node, 4), box(Kind::Node, 4), box(Kind::Output), box(Kind::Node)};
    view.edges = {edge(0, 1), edge(1, 2), edge(2, 8), edge(8, 3), edge(3, 7), edge(0, 5), edge(5, 6), edge(6, 3)};
    const MainPaths paths = pathsOf(view);
    EXPECT_EQ(paths.whole, (Edges{0, 1, 2, 3, 4}));
    EXPECT_EQ(paths.inside[1].size(), 3U);
}

TEST(MainPaths, ComeToNoBoxTwice)
{
    ViewGraph view; // 0 -> [2 -> 3], [5], 3 reads 5, which reads 2; and 2 -> 6 -> 7 is shorter
    view.boxes = {box(Kind::Input), box(Kind::Scope, -1, true), box(Kind::Node, 1), box(Kind::Node, 1),
        box(Kind::Scope, -1, true), box(Kind::Node, 4), box(Kind::Node), box(Kind::Output)};
    view.edges = {edge(0, 2), edge(2, 5), edge(5, 3), edge(3, 6), edge(2, 6), edge(6, 7)};
    const MainPaths paths = pathsOf(view);
    EXPECT_EQ(paths.whole, (Edges{0, 4, 5}));
}

TEST(MainPaths, OfBoxesWithoutEdgesAreNone)
{
    ViewGraph view;
    EXPECT_TRUE(pathsOf(view).whole.empty());
    view.boxes = {box(Kind::Node), box(Kind::Scope, -1, true), box(Kind::Node, 1)};
    EXPECT_TRUE(pathsOf(view).whole.empty());
    EXPECT_TRUE(pathsOf(view).inside[1].empty());
}

} // namespace
} // namespace duo
