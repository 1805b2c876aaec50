// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/convergence.h"

#include "core/calibrate/collect_statistics.h"
#include "tests/core/calibrate/digits_test.h"
#include "tests/support/same_statistics.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

/// Rounds of one value whose samples all have these extremes; whether it has converged after each.
std::vector<bool> afterEachRound(const std::vector<std::pair<float, float>>& rounds)
{
    Convergence convergence(1);
    std::vector<bool> reached;
    for (const auto& [min, max] : rounds) {
        const std::vector<float> mins(Convergence::kRound, min);
        const std::vector<float> maxs(Convergence::kRound, max);
        const Convergence::RoundExtremes extremes{mins, maxs};
        convergence.addRound({&extremes, 1});
        reached.push_back(convergence.reached());
    }
    return reached;
}

TEST(Convergence, IsReachedAfterThreeRoundsThatChangeNothing)
{
    EXPECT_EQ(afterEachRound({{-1, 1}, {-1, 1}, {-1, 1}, {-1, 1}}), (std::vector<bool>{false, false, false, true}));
}

TEST(Convergence, StartsAnewWhenAScaleChangesByHalfAPercent)
{
    // The mean of four rounds moves by a quarter of the difference: 0.5 % of the range are 2 % of a round's own.
    EXPECT_FALSE(afterEachRound({{-1, 1}, {-1, 1}, {-1, 1}, {-1, 1.05F}}).back());
    EXPECT_TRUE(afterEachRound({{-1, 1}, {-1, 1}, {-1, 1}, {-1, 1.03F}}).back());
    EXPECT_EQ(afterEachRound({{-1, 1}, {-1, 1}, {-1, 1}, {-1, 1.05F}, {-1, 1}, {-1, 1}, {-1, 1}}).back(), true);
}

TEST(Convergence, LeavesOutSamplesWithoutFiniteElements)
{
    EXPECT_TRUE(afterEachRound({{0, 2}, {1, -1}, {0, 2}, {0, 2}}).back());
    EXPECT_TRUE(afterEachRound({{1, -1}, {1, -1}, {1, -1}}).back()); // nothing there ever changes
}

using ConvergedStatistics = test::DigitsTest;

TEST_F(ConvergedStatistics, AreTheBeginningOfAllWhateverTheThreads)
{
    Measurement wanted;
    for (const NodeId id : m_model->mainGraph().nodes) {
        if (m_model->node(id).opType == "Relu")
            wanted.values.push_back(m_model->value(m_model->node(id).outputs[0]).name);
    }
    wanted.untilConverged = true;
    const auto one = collectStatistics(*m_model, wanted, *m_data, {0, 300}, 1, {});
    const auto four = collectStatistics(*m_model, wanted, *m_data, {0, 300}, 4, {});
    ASSERT_TRUE(one && four);
    EXPECT_TRUE(test::isSame(*one, *four));
    EXPECT_LT(one->samples(), m_data->size());
    EXPECT_EQ(one->samples() % Convergence::kBatch, 0);
    wanted.untilConverged = false;
    const auto plain = collectStatistics(*m_model, wanted, *m_data, {0, one->samples()}, 2, {});
    ASSERT_TRUE(plain);
    EXPECT_TRUE(test::isSame(*plain, *one));
}

TEST_F(ConvergedStatistics, HoldEverySampleWhereTheyAreTooFewToTell)
{
    Measurement wanted;
    wanted.values = {"image", "logits"};
    wanted.untilConverged = true;
    const auto statistics = collectStatistics(*m_model, wanted, *m_data, {0, 15}, 2, {});
    ASSERT_TRUE(statistics);
    EXPECT_EQ(statistics->samples(), 15);
    EXPECT_EQ(statistics->values.at("image").samples.min.size(), 15U);
}

} // namespace
} // namespace duo
