// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/estimate/estimate_range.h"

#include "core/calibrate/estimate/linear_histogram.h"
#include "core/calibrate/estimate/range_search.h"
#include "tests/core/calibrate/measured_samples.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::statisticsOf;

EstimatedRange estimated(const ValueStatistics& statistics, const char* set, bool isSymmetric = false)
{
    return estimateRange(statistics, *rangeEstimatorSet(set), isSymmetric);
}

/// Student's t with two degrees of freedom, by its inverse distribution function.
std::vector<float> heavyTail(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) {
        const double u = (static_cast<double>(random()) + 0.5) / 4294967296.0;
        values.push_back(static_cast<float>((2 * u - 1) / std::sqrt(2 * u * (1 - u))));
    }
    return values;
}

/// Mean squared error of the values themselves, quantized over a range.
double reconstructionError(const std::vector<float>& values, const EstimatedRange& range, int levels = 256)
{
    const CodeGrid grid = gridOf(std::min(range.min, 0.0F), std::max(range.max, 0.0F), levels, false);
    double error = 0;
    for (const float value : values) {
        const double code = std::nearbyint(std::clamp<double>(value, grid.low, grid.high) / grid.step);
        error += (value - code * grid.step) * (value - code * grid.step);
    }
    return error / static_cast<double>(values.size());
}

const std::vector<std::vector<float>> kSamples{{-1, 4}, {-2, 5}, {-3, 60}, {-4, 7}};

TEST(EstimateRange, TakesExtremesMeansAndMediansOfSamples)
{
    const ValueStatistics s = statisticsOf(kSamples);
    EXPECT_EQ(estimated(s, "MINMAX").min, -4);
    EXPECT_EQ(estimated(s, "MINMAX").max, 60);
    EXPECT_EQ(estimated(s, "MEAN_MINMAX").min, -2.5F);
    EXPECT_EQ(estimated(s, "MEAN_MINMAX").max, 19);
    EXPECT_EQ(estimated(s, "MEDIAN_MINMAX").max, 6);
}

TEST(EstimateRange, LeavesOutSamplesThatAreOutliers)
{
    const ValueStatistics s = statisticsOf(kSamples);
    EXPECT_EQ(estimated(s, "MEAN_NO_OUTLIERS_MINMAX").max, 6); // of 5 and 7
    EXPECT_EQ(estimated(s, "MEDIAN_NO_OUTLIERS_MINMAX").min, -2.5F);
    auto wide = *rangeEstimatorSet("MEAN_NO_OUTLIERS_MINMAX");
    wide.max.quantileOutlierProb = 0;
    EXPECT_EQ(estimateRange(s, wide, false).max, 19);
}

TEST(EstimateRange, OfSymmetricQuantizersTakesMagnitudes)
{
    const ValueStatistics s = statisticsOf({{-8, 4}, {-2, 6}});
    EXPECT_EQ(estimated(s, "MEAN_MINMAX", true).max, 7); // of 8 and 6
    EXPECT_EQ(estimated(s, "MEAN_MINMAX", false).max, 5);
}

TEST(EstimateRange, MovesTheAverageByAHundredth)
{
    EXPECT_FLOAT_EQ(estimated(statisticsOf({{0, 10}, {0, 110}}), "MOVING_AVERAGE_MINMAX").max, 11);
}

TEST(EstimateRange, TakesQuantilesOfSamplesWhereRecordedElseTheHistogram)
{
    std::vector<float> values(20'001);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i) - 10'000;
    const ValueStatistics s = statisticsOf({values});
    const EstimatedRange recorded = estimated(s, "MEAN_QUANTILE");
    EXPECT_EQ(recorded.min, -9998);
    EXPECT_EQ(recorded.max, 9998);
    EXPECT_FALSE(recorded.fromHistogram);
    auto other = *rangeEstimatorSet("MEAN_QUANTILE");
    other.max.quantileOutlierProb = 0.1;
    const EstimatedRange approximate = estimateRange(s, other, false);
    EXPECT_TRUE(approximate.fromHistogram);
    EXPECT_EQ(approximate.min, -9998);
    EXPECT_NEAR(approximate.max, 8000, 8);
}

TEST(EstimateRange, PercentileCutsEachSideByItself)
{
    std::vector<float> values(10'000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i) / 100 - 20;
    auto percentile = *rangeEstimatorSet("PERCENTILE");
    percentile.min.quantileOutlierProb = 0;
    percentile.max.quantileOutlierProb = 0.05;
    const EstimatedRange range = estimateRange(statisticsOf({values}), percentile, false);
    EXPECT_EQ(range.min, -20);
    EXPECT_NEAR(range.max, 75, 0.8);
}

TEST(EstimateRange, OfNothingFiniteIsEmpty)
{
    for (const char* set : {"MINMAX", "MEAN_MINMAX", "MSE", "ENTROPY", "HISTOGRAM", "PERCENTILE", "MEAN_QUANTILE"}) {
        const EstimatedRange range = estimated(statisticsOf({{}}), set);
        EXPECT_GT(range.min, range.max) << set;
    }
}

TEST(EstimateRange, OfAConstantIsTheConstant)
{
    const ValueStatistics s = statisticsOf({{3, 3, 3}, {3}});
    for (const char* set : {"MINMAX", "MEAN_MINMAX", "PERCENTILE", "MEAN_QUANTILE", "HISTOGRAM"}) {
        EXPECT_EQ(estimated(s, set).max, 3) << set;
        EXPECT_EQ(estimated(s, set).min, 3) << set;
    }
    EXPECT_EQ(estimated(s, "MSE").max, 3);
    EXPECT_EQ(estimated(s, "ENTROPY").max, 3);
}

/// Laplace: exponential on both sides.
std::vector<float> laplace(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) {
        const double u = (static_cast<double>(random()) + 0.5) / 4294967296.0;
        values.push_back(static_cast<float>(u < 0.5 ? std::log(2 * u) : -std::log(2 - 2 * u)));
    }
    return values;
}

TEST(EstimateRange, MseIsNearTheBestOfAllRanges)
{
    auto values = laplace(50'000, 3);
    std::ranges::for_each(values, [](float& value) { value = value > 0 ? value : value / 2; });
    const ValueStatistics s = statisticsOf({values});
    const auto pieces = densityOf(s.histogram, s.min, s.max);
    for (const int levels : {16, 64, 256}) {
        const EstimatedRange found = estimateRange(s, *rangeEstimatorSet("MSE"), false, levels);
        double least = std::numeric_limits<double>::infinity();
        for (int low = 1; low <= 50; ++low) {
            for (int high = 1; high <= 50; ++high)
                least = std::min(
                    least, squaredError(pieces, gridOf(low * 0.02 * s.min, high * 0.02 * s.max, levels, false)));
        }
        EXPECT_LT(squaredError(pieces, gridOf(found.min, found.max, levels, false)), 1.01 * least) << levels;
    }
}

TEST(EstimateRange, CuttingTailsMoreThanHalvesTheErrorOfFewCodes)
{
    const auto values = laplace(200'000, 11);
    const ValueStatistics s = statisticsOf({values});
    const auto errorOf = [&](const RangeEstimatorParameters& parameters) {
        return reconstructionError(values, estimateRange(s, parameters, false, 16), 16);
    };
    const double whole = errorOf(*rangeEstimatorSet("MINMAX"));
    auto percentile = *rangeEstimatorSet("PERCENTILE");
    percentile.min.quantileOutlierProb = percentile.max.quantileOutlierProb = 1e-3;
    for (const auto& parameters : {*rangeEstimatorSet("MSE"), percentile})
        EXPECT_LT(errorOf(parameters), whole / 2);
    for (const char* set : {"ENTROPY", "HISTOGRAM"}) // the latter stops at the first step that does not help
        EXPECT_LT(errorOf(*rangeEstimatorSet(set)), whole) << set;
}

// Student's t so heavy that no range halves the error of 256 codes (resources/docs/oracles.md, "Heavy tails").
TEST(EstimateRange, NoOtherEstimatorHasASmallerErrorThanMse)
{
    const auto values = heavyTail(200'000, 11);
    const ValueStatistics s = statisticsOf({values});
    const double best = reconstructionError(values, estimated(s, "MSE"));
    for (const char* set : {"MINMAX", "HISTOGRAM", "PERCENTILE", "ENTROPY", "MEAN_QUANTILE"})
        EXPECT_LT(best, reconstructionError(values, estimated(s, set)) * 1.001) << set;
    EXPECT_LT(estimated(s, "ENTROPY").max, estimated(s, "MINMAX").max / 2);
}

TEST(RangeSearch, PredictsTheErrorOfTheValuesThemselves)
{
    const auto values = heavyTail(50'000, 5);
    const ValueStatistics s = statisticsOf({values});
    const auto pieces = densityOf(s.histogram, s.min, s.max);
    for (const float end : {3.0F, 10.0F, 50.0F}) {
        const double predicted = squaredError(pieces, gridOf(-end, end, 256, false));
        const double measured = reconstructionError(values, {-end, end, false});
        EXPECT_NEAR(predicted, measured, 0.03 * measured) << end;
    }
}

TEST(RangeSearch, KeepsTheRangeOfEvenlySpreadValues)
{
    std::vector<float> values(100'000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i) / 100'000;
    const ValueStatistics s = statisticsOf({values});
    EXPECT_GT(estimated(s, "MSE").max, 0.98F);
    EXPECT_GT(estimated(s, "ENTROPY").max, 0.98F);
    EXPECT_GT(estimated(s, "HISTOGRAM").max, 0.98F);
    EXPECT_EQ(estimated(s, "MSE").min, 0);
}

TEST(RangeEstimator, SaysWhatCannotBeComputed)
{
    RangeEstimatorParameters mixed = *rangeEstimatorSet("MSE");
    mixed.min = rangeEstimatorSet("MINMAX")->min;
    EXPECT_NE(rangeEstimatorProblem(mixed), "");
    RangeEstimatorParameters raw = *rangeEstimatorSet("MINMAX");
    raw.max.statisticsType = StatisticsType::Raw;
    EXPECT_NE(rangeEstimatorProblem(raw), "");
    for (const char* set : {"MINMAX", "MEAN_MINMAX", "MEDIAN_MINMAX", "MEAN_NO_OUTLIERS_MINMAX", "MEAN_QUANTILE",
             "HISTOGRAM", "MEDIAN_NO_OUTLIERS_MINMAX", "MOVING_AVERAGE_MINMAX", "PERCENTILE", "MSE", "ENTROPY"})
        EXPECT_EQ(rangeEstimatorProblem(*rangeEstimatorSet(set)), "") << set;
    EXPECT_FALSE(rangeEstimatorSet("BEST"));
}

TEST(RangeEstimator, TakesUnsetFieldsFromTheDefault)
{
    RangeEstimatorParameters chosen;
    chosen.max.aggregatorType = AggregatorType::Median;
    const auto complete = withDefaults(chosen, *rangeEstimatorSet("MEAN_MINMAX"));
    EXPECT_EQ(complete.max.aggregatorType, AggregatorType::Median);
    EXPECT_EQ(complete.max.statisticsType, StatisticsType::Max);
    EXPECT_EQ(complete.min.aggregatorType, AggregatorType::Mean);
}

} // namespace
} // namespace duo
