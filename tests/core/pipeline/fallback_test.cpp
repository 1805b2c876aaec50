// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/fallback.h"

#include "tests/core/pipeline/sensitivity/planted_networks.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ProtoBuilder;
using test::QuantizedCase;

FallbackCandidate candidate(const std::string& name)
{
    Rule rule;
    rule.value = "/" + name + "/conv";
    return {name, {rule}};
}

class FallBack : public testing::Test
{
protected:
    FallBack()
        : m_model(test::addPlantedChain(m_proto), {1, 4, 8, 8}, test::plantedSamples())
    {
    }

    /// A measure that adds up what every rule is worth.
    [[nodiscard]] Result<FallenBack> run(const std::map<std::string, double>& worth, double bound) const
    {
        const auto measure = [&](const Snapshot& snapshot) -> Result<double> {
            double sum = 1;
            for (const Rule& rule : snapshot.recipe.rules.rules)
                sum += worth.at(rule.value);
            return sum;
        };
        return fallBack(
            m_model.opened(), 1, {candidate("first"), candidate("bad"), candidate("last")}, bound, measure, {});
    }

    ProtoBuilder m_proto;
    QuantizedCase m_model;
};

TEST_F(FallBack, ChangesNothingWhereTheBoundHolds)
{
    const auto fallback = run({}, 1);
    ASSERT_TRUE(fallback);
    EXPECT_TRUE(fallback->holds);
    EXPECT_TRUE(fallback->kept.empty());
    EXPECT_EQ(fallback->snapshot.recipe, m_model.opened().recipe);
}

TEST_F(FallBack, KeepsGroupsUntilTheBoundHolds)
{
    const auto fallback = run({{"/first/conv", 1}, {"/bad/conv", 5}, {"/last/conv", 1}}, 6);
    ASSERT_TRUE(fallback);
    EXPECT_TRUE(fallback->holds);
    EXPECT_EQ(fallback->before, 1);
    EXPECT_EQ(fallback->measured, 7);
    ASSERT_EQ(fallback->kept.size(), 2U);
    EXPECT_EQ(fallback->kept[1].name, "bad");
    EXPECT_EQ(fallback->snapshot.recipe.rules.rules.size(), 2U);
}

TEST_F(FallBack, LeavesOutWhatMakesItWorse)
{
    const auto fallback = run({{"/first/conv", -1}, {"/bad/conv", 5}, {"/last/conv", 1}}, 6);
    ASSERT_TRUE(fallback);
    EXPECT_TRUE(fallback->holds);
    ASSERT_EQ(fallback->kept.size(), 1U);
    EXPECT_EQ(fallback->kept[0].name, "bad");
    EXPECT_EQ(fallback->tried, 2U);
}

TEST_F(FallBack, LeavesOutWhatGainedNothing)
{
    const auto fallback = run({{"/first/conv", 0}, {"/bad/conv", 5}, {"/last/conv", 1}}, 6);
    ASSERT_TRUE(fallback);
    EXPECT_TRUE(fallback->holds);
    ASSERT_EQ(fallback->kept.size(), 1U);
    EXPECT_EQ(fallback->kept[0].name, "bad");
    EXPECT_EQ(fallback->snapshot.recipe.rules.rules.size(), 1U);
}

TEST_F(FallBack, SaysThatTheBoundIsOutOfReach)
{
    const auto fallback = run({{"/first/conv", 1}, {"/bad/conv", 1}, {"/last/conv", 1}}, 100);
    ASSERT_TRUE(fallback);
    EXPECT_FALSE(fallback->holds);
    EXPECT_EQ(fallback->measured, 4);
    EXPECT_EQ(fallback->kept.size(), 3U);
}

TEST_F(FallBack, PassesOnTheErrorOfTheMeasure)
{
    const auto fallback = fallBack(m_model.opened(), 0, {candidate("first")}, 1,
        [](const Snapshot&) -> Result<double> {
            return Error{ErrorCode::BadData, "no number", {}, {}};
        },
        {});
    ASSERT_FALSE(fallback);
    EXPECT_EQ(fallback.error().line(), "no number");
}

} // namespace
} // namespace duo
