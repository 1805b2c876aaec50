// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/estimate/range_choices.h"

#include "tests/core/calibrate/measured_samples.h"

#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::statisticsOf;
using testing::SizeIs;

/// 0 to 1 in 10,000 steps, and one value of 100.
ValueStatistics evenWithOutlier()
{
    std::vector<float> values(10'001);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i) / 10'000;
    values.push_back(100);
    return statisticsOf({values});
}

TEST(RangeFit, TellsTheClippedShareAndTheNoise)
{
    const ValueStatistics s = evenWithOutlier();
    const RangeFit whole = rangeFit(s, 0, 100, false);
    EXPECT_EQ(whole.clippedShare, 0);
    const RangeFit cut = rangeFit(s, 0, 0.5, false);
    EXPECT_NEAR(cut.clippedShare, 0.5, 0.01);
    // Evenly spread over 256 codes: the noise is a twelfth of a squared step, the signal a third of the squared range.
    const RangeFit exact = rangeFit(statisticsOf({std::vector<float>{0, 0.25F, 0.5F, 0.75F, 1}}), 0, 1, false);
    ASSERT_TRUE(exact.sqnrDb);
    EXPECT_GT(*exact.sqnrDb, 45);
}

TEST(RangeChoices, HoldEveryEstimatorsRangeAndTheBestFitIsMses)
{
    const auto choices = rangeChoices(evenWithOutlier(), false);
    ASSERT_THAT(choices, SizeIs(11));
    double best = 0;
    double ofMse = 0;
    for (const RangeChoice& choice : choices) {
        ASSERT_TRUE(choice.fit.sqnrDb) << choice.estimator;
        best = std::max(best, *choice.fit.sqnrDb);
        if (choice.estimator == "MSE")
            ofMse = *choice.fit.sqnrDb;
    }
    EXPECT_EQ(choices.front().estimator, "MINMAX");
    EXPECT_EQ(choices.front().range.max, 100);
    EXPECT_GE(ofMse, best - 0.1);
}

TEST(RangeChoices, AreNoneWhereNothingFiniteWasMeasured)
{
    EXPECT_THAT(rangeChoices({}, false), SizeIs(0));
    EXPECT_THAT(evenHistogram({}, 10).counts, SizeIs(0));
}

TEST(EvenHistogram, HoldsEveryElementBetweenTheExtremes)
{
    const EvenHistogram histogram = evenHistogram(evenWithOutlier(), 100);
    EXPECT_EQ(histogram.min, 0);
    EXPECT_DOUBLE_EQ(histogram.width, 1);
    ASSERT_THAT(histogram.counts, SizeIs(100));
    EXPECT_NEAR(std::accumulate(histogram.counts.begin(), histogram.counts.end(), 0.0), 10'002, 1e-6);
    EXPECT_GT(histogram.counts.front(), 9'990);
    EXPECT_NEAR(histogram.counts.back(), 1, 1e-9);
}

TEST(EvenHistogram, OfAConstantIsOneBin)
{
    const EvenHistogram histogram = evenHistogram(statisticsOf({{3, 3}, {3}}), 100);
    EXPECT_EQ(histogram.width, 0);
    EXPECT_THAT(histogram.counts, testing::ElementsAre(3));
}

} // namespace
} // namespace duo
