// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/layered_layout.h"

#include "core/graph/layout/ranks.h"
#include "tests/core/graph/degenerate_graphs.h"
#include "tests/support/picture_judge.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

namespace duo {
namespace {

using test::chainOf;
using test::edgesThroughBoxes;
using test::fanInOf;
using test::graphOf;
using test::problemOf;

TEST(LayeredLayout, EveryDegenerateGraphGetsAWholeLayout)
{
    for (const auto& [name, input] : test::degenerateGraphs()) {
        const auto result = layeredLayout(input);
        ASSERT_TRUE(result) << name;
        EXPECT_EQ(problemOf(input, *result), "") << name;
        EXPECT_EQ(*result, *layeredLayout(input)) << name;
    }
}

TEST(LayeredLayout, EdgesLeadDownwards)
{
    const auto result = layeredLayout(graphOf(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}));
    ASSERT_TRUE(result);
    EXPECT_LT(result->centers[0].y, result->centers[1].y);
    EXPECT_EQ(result->centers[1].y, result->centers[2].y);
    EXPECT_LT(result->centers[2].y, result->centers[3].y);
    EXPECT_EQ(result->centers[0].x, result->centers[3].x);
}

TEST(LayeredLayout, LongEdgesRunBesideTheBoxesTheyPass)
{
    auto input = chainOf(5);
    input.edges.push_back({0, 4});
    const auto result = layeredLayout(input);
    ASSERT_TRUE(result);
    const auto& line = result->lines.back();
    for (std::size_t p = 1; p + 1 < line.size(); ++p) {
        for (std::size_t b = 1; b < 4; ++b)
            EXPECT_GT(std::abs(line[p].x - result->centers[b].x), 50) << p << " " << b;
    }
}

TEST(LayeredLayout, TheLongestPathIsOneStraightLine)
{
    // 0 to 9 in a row, with a branch 3 -> 10 -> 11 -> 7 and a skip 1 -> 8 beside it
    auto input = chainOf(12);
    input.edges
        = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {3, 10}, {10, 11}, {11, 7}, {1, 8}};
    input.boxes[5].width = 220;
    const auto result = layeredLayout(input);
    ASSERT_TRUE(result);
    for (std::size_t b = 1; b < 10; ++b)
        EXPECT_EQ(result->centers[b].x, result->centers[0].x) << b;
    EXPECT_EQ(result->centers[10].x, result->centers[11].x);
    EXPECT_EQ(edgesThroughBoxes(input, *result), 0U);
    EXPECT_EQ(result->crossings, 0U);
}

TEST(LayeredLayout, AGivenSpineIsTheStraightLine)
{
    auto input = graphOf(6, {{0, 1}, {1, 2}, {2, 3}, {3, 5}, {0, 4}, {4, 5}}); // the other way round is longer
    input.spine = {4, 5};
    const auto result = layeredLayout(input);
    ASSERT_TRUE(result);
    EXPECT_EQ(problemOf(input, *result), "");
    EXPECT_EQ(result->centers[0].x, result->centers[4].x);
    EXPECT_EQ(result->centers[4].x, result->centers[5].x);
    EXPECT_NE(result->centers[2].x, result->centers[0].x);
    EXPECT_EQ(result->lines[4].size(), 2U);
}

TEST(LayeredLayout, WhatLeavesSeveralColumnsDoesSoWhereTheSpineEntered)
{
    auto input = chainOf(20);
    input.edges.push_back({16, 20}); // leaves beside the spine
    input.boxes.resize(21, {100, 30});
    input.pins.assign(21, Pin::Free);
    input.pins[0] = Pin::Top;
    input.pins[19] = input.pins[20] = Pin::Bottom;
    input.aspect = 1;
    const auto result = layeredLayout(input);
    ASSERT_TRUE(result);
    EXPECT_EQ(problemOf(input, *result), "");
    EXPECT_EQ(edgesThroughBoxes(input, *result), 0U);
    EXPECT_EQ(test::drawnCrossings(result->lines), 0U);
    EXPECT_GT(result->centers[18].x, result->centers[0].x + 100); // in another column
    EXPECT_NEAR(result->centers[19].x, result->centers[0].x, 0.01);
    for (std::size_t b = 1; b < 19; ++b)
        EXPECT_LT(result->centers[b].y, result->centers[19].y - 40) << b;
}

TEST(LayeredLayout, BoxesBesideTheirReaderPushNothing)
{
    auto input = chainOf(20);
    for (std::uint32_t block = 0; block < 20; ++block) { // two small inputs each
        for (int i = 0; i < 2; ++i) {
            input.edges.push_back({static_cast<std::uint32_t>(input.boxes.size()), block});
            input.boxes.push_back({60, 20});
        }
    }
    input.pins.assign(60, Pin::Beside);
    std::fill_n(input.pins.begin(), 20, Pin::Free);
    const auto result = layeredLayout(input);
    ASSERT_TRUE(result);
    EXPECT_EQ(problemOf(input, *result), "");
    EXPECT_EQ(edgesThroughBoxes(input, *result), 0U);
    for (std::size_t block = 0; block < 20; ++block) {
        EXPECT_EQ(result->centers[block].x, result->centers[0].x) << block;
        for (const std::size_t small : {20 + 2 * block, 21 + 2 * block}) {
            EXPECT_LT(result->centers[small].x + 30, result->centers[block].x - 50) << small;
            EXPECT_NEAR(result->centers[small].y, result->centers[block].y, 20) << small;
        }
    }
}

TEST(LayeredLayout, NoEdgeRunsThroughABox)
{
    for (const auto& [name, input] : test::degenerateGraphs()) {
        if (name == "pinned against edges") // boxes of one row that read each other
            continue;
        for (const auto& [aspect, spread] :
            {std::pair(0.0, 1.0), {0.5, kLeastSpread}, {0.5, 1.0}, {2.0, kMostSpread}}) {
            auto shaped = input;
            shaped.aspect = aspect;
            shaped.spread = spread;
            const auto result = layeredLayout(shaped);
            ASSERT_TRUE(result) << name;
            EXPECT_EQ(problemOf(shaped, *result), "") << name << " " << aspect << " " << spread;
            EXPECT_EQ(edgesThroughBoxes(shaped, *result), 0U) << name << " " << aspect << " " << spread;
        }
    }
}

TEST(LayeredLayout, LongChainsGoOnInColumnsOfTheWantedShape)
{
    for (const std::size_t length : {20U, 100U, 1000U}) {
        auto input = chainOf(length);
        for (std::uint32_t b = 4; b + 4 < length; b += 7)
            input.edges.push_back({b, b + 3});
        for (const double aspect : {0.7, 1.5, 2.5}) {
            input.aspect = aspect;
            const auto result = layeredLayout(input);
            ASSERT_TRUE(result);
            EXPECT_EQ(problemOf(input, *result), "");
            EXPECT_EQ(edgesThroughBoxes(input, *result), 0U);
            const double shape = result->size.width / result->size.height / aspect;
            EXPECT_GT(std::min(shape, 1 / shape), 0.6) << length << " " << aspect;
        }
    }
}

TEST(LayeredLayout, EdgesPassWholeColumnsInLanesOfTheirOwn)
{
    auto input = chainOf(40);
    input.edges.push_back({2, 37});
    input.edges.push_back({4, 35}); // inside the other
    input.aspect = 2.5;
    const auto result = layeredLayout(input);
    ASSERT_TRUE(result);
    EXPECT_EQ(problemOf(input, *result), "");
    EXPECT_EQ(edgesThroughBoxes(input, *result), 0U);
    EXPECT_EQ(test::drawnCrossings(result->lines), 0U);
    const auto [head, foot] = std::ranges::minmax(result->centers, {}, &Point::y);
    for (const std::size_t edge : {input.edges.size() - 2, input.edges.size() - 1}) {
        std::size_t upwards = 0;
        const std::vector<Point>& line = result->lines[edge];
        for (std::size_t p = 1; p < line.size(); ++p)
            upwards += line[p].y < line[p - 1].y ? 1 : 0;
        EXPECT_EQ(upwards, 1U) << "not in each column that it passes";
        const auto [highest, lowest] = std::ranges::minmax(line, {}, &Point::y);
        EXPECT_TRUE(highest.y < head.y - 15 || lowest.y > foot.y + 15);
    }
}

TEST(LayeredLayout, WhatIsWideInOneColumnPushesNoLinesInOthers)
{
    auto input = chainOf(40);
    input.edges.push_back({2, 37});
    input.boxes[30].width = 900;
    input.aspect = 2;
    const auto result = layeredLayout(input);
    ASSERT_TRUE(result);
    EXPECT_EQ(problemOf(input, *result), "");
    EXPECT_EQ(edgesThroughBoxes(input, *result), 0U);
    ASSERT_LT(result->centers[2].x, result->centers[30].x - 450) << "in columns of their own";
    const Point turn = result->lines.back()[1]; // beside box 3
    EXPECT_LT(std::abs(turn.x - result->centers[2].x), input.boxes[3].width);
}

TEST(LayeredLayout, FewLinesLeadFromColumnToColumn)
{
    const auto columns = [](const LayoutInput& input) {
        const auto result = layeredLayout(input);
        std::set<double> places;
        for (std::uint32_t b = 0; result && b < 12; ++b)
            places.insert(result->centers[b].x);
        return places.size();
    };
    auto input = chainOf(12);
    input.aspect = 1;
    EXPECT_GT(columns(input), 1U);
    for (std::uint32_t b = 0; b < 6; ++b)
        input.edges.push_back({b, b + 6}); // wherever it were cut, many of its lines would be
    EXPECT_EQ(columns(input), 1U);
}

TEST(LayeredLayout, RowsStandAsFarApartAsIsWanted)
{
    auto input = graphOf(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
    const auto usual = layeredLayout(input);
    input.spread = 2;
    const auto wide = layeredLayout(input);
    ASSERT_TRUE(usual && wide);
    EXPECT_EQ(problemOf(input, *wide), "");
    EXPECT_EQ(wide->size.width, usual->size.width);
    const double boxes = 3 * input.boxes[0].height;
    EXPECT_DOUBLE_EQ(wide->size.height - boxes, 2 * (usual->size.height - boxes));
}

TEST(LayeredLayout, WhatIsShortOrWideEnoughIsNotWrapped)
{
    auto input = chainOf(5);
    input.aspect = 3;
    const auto result = layeredLayout(input);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->centers[0].x, result->centers[4].x);
}

TEST(LayeredLayout, EdgesMeetABoxWhereTheyMust)
{
    auto input = graphOf(2, {{0, 1, 30.0, -40.0}});
    const auto result = layeredLayout(input);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->lines[0].front().x, result->centers[0].x + 30);
    EXPECT_EQ(result->lines[0].back().x, result->centers[1].x - 40);
    EXPECT_EQ(result->lines[0].size(), 2U); // straight
    input.edges[0].enters = 51;
    EXPECT_EQ(layeredLayout(input).error().line(), "edge 0 meets a box outside its border: layout input");
}

TEST(LayeredLayout, TheAdviceOfAnotherEngineIsTakenWhereItHasFewerCrossings)
{
    const auto input = test::degenerateGraphs().back().input; // random, with cycles
    const auto own = layeredLayout(input);
    ASSERT_TRUE(own);
    const auto advised = layeredLayout(input, &*own);
    ASSERT_TRUE(advised);
    EXPECT_LE(advised->crossings, own->crossings);
    EXPECT_EQ(problemOf(input, *advised), "");
}

TEST(LayeredLayout, BoxesFollowTheOrderInWhichTheirEdgesLeave)
{
    LayoutInput input = graphOf(3, {{0, 1}, {0, 2}});
    input.boxes[0].width = 200;
    input.edges[0].leaves = 60;
    input.edges[1].leaves = -60;
    const auto result = layeredLayout(input);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->crossings, 0U);
    EXPECT_GT(result->centers[1].x, result->centers[2].x);
}

TEST(LayeredLayout, EdgesOfTwoBoxesThatMustChangePlacesAreCountedOnce)
{
    LayoutInput input = graphOf(2, {{0, 1}, {0, 1}});
    input.edges[0].leaves = 20;
    input.edges[0].enters = -20;
    input.edges[1].leaves = -20;
    input.edges[1].enters = 20;
    EXPECT_EQ(layeredLayout(input)->crossings, 1U);
}

TEST(LayeredLayout, PinnedBoxesKeepTheirOrderWhereItIsAskedFor)
{
    LayoutInput input = graphOf(5, {{0, 4}, {1, 3}, {3, 2}, {4, 2}});
    input.pins = {Pin::Top, Pin::Top, Pin::Bottom, Pin::Free, Pin::Free};
    input.keepsPinOrder = true;
    EXPECT_LT(layeredLayout(input)->centers[0].x, layeredLayout(input)->centers[1].x);
    std::swap(input.edges[0].from, input.edges[1].from);
    EXPECT_LT(layeredLayout(input)->centers[0].x, layeredLayout(input)->centers[1].x);
}

TEST(LayeredLayout, ACrossingThatCanBeAvoidedIs)
{
    const auto result = layeredLayout(graphOf(4, {{0, 3}, {1, 2}}));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->centers[0].x < result->centers[1].x, result->centers[3].x < result->centers[2].x);
}

TEST(LayeredLayout, HugeGraphsAreLaidOutWithoutRecursion)
{
    for (const auto& input : {chainOf(50000), fanInOf(5000), graphOf(20000, {})}) {
        const auto result = layeredLayout(input);
        ASSERT_TRUE(result);
        EXPECT_EQ(problemOf(input, *result), "");
    }
}

TEST(LayeredLayout, WideRowsOfSourcesAreWrapped)
{
    const auto result = layeredLayout(fanInOf(5000));
    ASSERT_TRUE(result);
    EXPECT_LT(result->size.width, 60000); // in one row: 600,000
}

TEST(LayeredLayout, BoxesOfAPairStandAsWantedInWhateverOrderTheyCome)
{
    for (const auto& [left, right] : {std::pair(1U, 2U), std::pair(2U, 1U)}) {
        auto input = graphOf(5, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}});
        input.leftFirst = {left, right};
        const auto layout = layeredLayout(input);
        ASSERT_TRUE(layout);
        EXPECT_LT(layout->centers[left].x, layout->centers[right].x);
        EXPECT_EQ(layout->crossings, 0U);
    }
}

TEST(LayeredLayout, RefusesInputsThatMakeNoSense)
{
    auto input = graphOf(2, {{0, 2}});
    EXPECT_EQ(layeredLayout(input).error().line(), "edge 0 has an end outside the boxes: layout input");
    input = graphOf(2, {});
    input.boxes[1].width = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(layeredLayout(input).error().line(), "box 1 has no valid size: layout input");
    input = graphOf(2, {});
    input.pins.resize(1);
    EXPECT_EQ(layeredLayout(input).error().line(), "there are not as many pins as boxes: layout input");
    input = graphOf(2, {{0, 1}});
    input.spine = {1};
    EXPECT_EQ(layeredLayout(input).error().line(), "the spine has an edge that is none: layout input");
    input.spine.clear();
    input.atTop = {2};
    EXPECT_EQ(layeredLayout(input).error().line(), "a box at the top of its row is none: layout input");
    input = graphOf(2, {});
    input.leftFirst = {1};
    EXPECT_EQ(layeredLayout(input).error().line(), "boxes that stand side by side are no pairs: layout input");
    input.leftFirst.clear();
    input.aspect = -1;
    EXPECT_EQ(layeredLayout(input).error().line(), "the wanted shape is none: layout input");
    input = graphOf(2, {});
    input.spread = 0.5;
    EXPECT_EQ(layeredLayout(input).error().line(), "rows cannot stand that far apart or close together: layout input");
}

TEST(Ranks, SourcesStandRightAboveTheirReader)
{
    // 0 -> 1 -> 2 -> 3, and 4 -> 5 -> 3
    const auto ranks = findRanks(graphOf(6, {{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5, 3}}));
    EXPECT_EQ(ranks, (std::vector<std::uint32_t>{0, 1, 2, 3, 1, 2}));
}

TEST(Ranks, PinnedBoxesHaveTheOuterRows)
{
    auto input = graphOf(4, {{0, 2}, {1, 3}});
    input.pins = {Pin::Top, Pin::Free, Pin::Free, Pin::Bottom};
    EXPECT_EQ(findRanks(input), (std::vector<std::uint32_t>{0, 1, 1, 2}));
}

TEST(Ranks, LoweredBoxesHaveRowsOfTheirOwn)
{
    auto input = graphOf(4, {{0, 2}, {1, 2}, {0, 3}, {1, 3}});
    EXPECT_EQ(findRanks(input), (std::vector<std::uint32_t>{0, 0, 1, 1}));
    EXPECT_EQ(layeredLayout(input)->crossings, 1U);
    input.pins = {Pin::Free, Pin::Lowered, Pin::Free, Pin::Free};
    EXPECT_EQ(findRanks(input), (std::vector<std::uint32_t>{0, 1, 2, 2}));
    EXPECT_EQ(layeredLayout(input)->crossings, 0U);
}

TEST(Ranks, OnlyWhatReadsNothingAndHasOneReaderStandsBesideIt)
{
    constexpr std::uint32_t kNobody = 0xFFFFFFFF;
    auto input = graphOf(6, {{0, 1}, {2, 1}, {3, 1}, {3, 4}, {5, 2}});
    input.pins = {Pin::Free, Pin::Free, Pin::Beside, Pin::Beside, Pin::Free, Pin::Beside};
    // 2 reads 5; 3 has two readers; 5 is read by one that could stand beside another itself
    EXPECT_EQ(readersBeside(input), std::vector<std::uint32_t>(6, kNobody));
    input.pins[2] = Pin::Free;
    EXPECT_EQ(readersBeside(input), (std::vector<std::uint32_t>{kNobody, kNobody, kNobody, kNobody, kNobody, 2}));
    EXPECT_EQ(findRanks(input), (std::vector<std::uint32_t>{0, 1, 0, 0, 1, 0}));
}

TEST(Ranks, AreTakenFromAnotherLayoutWhereItHasRows)
{
    const LayoutInput input = graphOf(3, {{0, 1}, {0, 2}});
    LayoutResult other;
    other.centers = {{0, 10}, {0, 50}, {40, 90}};
    EXPECT_EQ(ranksOf(input, other), (std::vector<std::uint32_t>{0, 1, 2}));
    other.centers[2].y = 50.5; // rounded
    EXPECT_EQ(ranksOf(input, other), (std::vector<std::uint32_t>{0, 1, 1}));
    other.centers[1].y = 10;
    EXPECT_FALSE(ranksOf(input, other)) << "an edge in a row";
    const LayoutInput wide = fanInOf(100);
    other.centers.assign(wide.boxes.size(), {0, 0});
    other.centers.back().y = 40;
    EXPECT_FALSE(ranksOf(wide, other)) << "a row that we wrap";
}

TEST(Ranks, CrossedRowsCountsWhatLongEdgesPass)
{
    auto input = chainOf(10);
    EXPECT_EQ(crossedRows(input), 0U);
    input.edges.push_back({0, 9});
    EXPECT_EQ(crossedRows(input), 8U);
}

} // namespace
} // namespace duo
