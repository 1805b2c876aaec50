// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/half_search.h"

#include <algorithm>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace duo::test {
namespace {

/// What each node costs adds up.
struct Costs {
    std::vector<double> ofNode;
    int asked = 0;

    HalvedNoise noise()
    {
        return [this](const std::vector<bool>& isHalf) -> Result<double> {
            ++asked;
            double sum = 0;
            for (std::size_t i = 0; i < isHalf.size(); ++i)
                sum += isHalf[i] ? ofNode[i] : 0;
            return sum;
        };
    }
};

/// `first+count` of each range.
std::vector<std::string> rangesOf(const CostlyNodes& costly)
{
    std::vector<std::string> texts;
    for (const NodeRange& range : costly.ranges)
        texts.push_back(std::to_string(range.first) + "+" + std::to_string(range.count));
    return texts;
}

TEST(HalfSearch, AsksOnceWhereTheBoundHolds)
{
    Costs costs{std::vector<double>(100, 0.01)};
    const auto costly = findCostlyNodes(100, 1.01, costs.noise());
    ASSERT_TRUE(costly);
    EXPECT_THAT(costly->ranges, IsEmpty());
    EXPECT_NEAR(costly->noise, 1, 1e-9);
    EXPECT_EQ(costs.asked, 1);
}

TEST(HalfSearch, FindsTheNodesThatCostMost)
{
    Costs costs{std::vector<double>(400, 0.001)};
    costs.ofNode[7] = 3;
    costs.ofNode[333] = std::numeric_limits<double>::infinity();
    const auto costly = findCostlyNodes(400, 1, costs.noise());
    ASSERT_TRUE(costly);
    EXPECT_THAT(rangesOf(*costly), ElementsAre("7+1", "333+1"));
    EXPECT_NEAR(costly->noise, 0.398, 1e-9);
    EXPECT_LT(costs.asked, 100);
}

TEST(HalfSearch, TakesBackNoMoreThanItMustWhereAllCostAlike)
{
    Costs costs{std::vector<double>(64, 1)};
    const auto costly = findCostlyNodes(64, 40, costs.noise());
    ASSERT_TRUE(costly);
    std::size_t taken = 0;
    for (const NodeRange& range : costly->ranges)
        taken += range.count;
    EXPECT_EQ(taken, 24U);
    EXPECT_EQ(costly->noise, 40);
}

/// Alone each costs as much as both.
TEST(HalfSearch, GivesBackWhatCostsNothingBesideTheOthers)
{
    const HalvedNoise noise = [](const std::vector<bool>& isHalf) -> Result<double> {
        return isHalf[9] ? 5.0 : isHalf[2] && !isHalf[3] ? 2.0 : 0.5;
    };
    const auto costly = findCostlyNodes(10, 1, noise);
    ASSERT_TRUE(costly);
    EXPECT_THAT(rangesOf(*costly), ElementsAre("9+1"));
    EXPECT_EQ(costly->noise, 0.5);
}

TEST(HalfSearch, TakesAllBackWhereNothingElseHolds)
{
    const HalvedNoise noise = [](const std::vector<bool>& isHalf) -> Result<double> {
        return std::ranges::count(isHalf, true) > 0 ? 2.0 : 0.0;
    };
    const auto costly = findCostlyNodes(3, 1, noise);
    ASSERT_TRUE(costly);
    EXPECT_THAT(rangesOf(*costly), ElementsAre("0+1", "1+1", "2+1"));
    EXPECT_EQ(costly->noise, 0);
}

TEST(HalfSearch, EndsWithTheErrorOfWhatIsAsked)
{
    const auto costly = findCostlyNodes(3, 1, [](const std::vector<bool>&) -> Result<double> {
        return Error{ErrorCode::EngineFailed, "why", {}, {}};
    });
    ASSERT_FALSE(costly);
    EXPECT_EQ(costly.error().what, "why");
}

} // namespace
} // namespace duo::test
