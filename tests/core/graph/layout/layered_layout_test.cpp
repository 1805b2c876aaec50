// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/layered_layout.h"

#include "core/graph/layout/ranks.h"
#include "tests/core/graph/degenerate_graphs.h"

#include <gtest/gtest.h>

#include <limits>

namespace duo {
namespace {

using test::chainOf;
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

TEST(Ranks, CrossedRowsCountsWhatLongEdgesPass)
{
    auto input = chainOf(10);
    EXPECT_EQ(crossedRows(input), 0U);
    input.edges.push_back({0, 9});
    EXPECT_EQ(crossedRows(input), 8U);
}

} // namespace
} // namespace duo
