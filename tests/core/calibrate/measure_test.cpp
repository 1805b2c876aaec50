// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/tensor_measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const TensorMeasure& measured(const std::vector<float>& values, TensorMeter& meter)
{
    const std::int64_t size = static_cast<std::int64_t>(values.size());
    return meter.measure(values, std::span(&size, 1), std::nullopt);
}

TensorMeasure measured(const std::vector<float>& values)
{
    TensorMeter meter;
    return measured(values, meter);
}

/// numpy.quantile(values, q) with its default method.
float numpyQuantile(std::vector<float> values, double q)
{
    std::ranges::sort(values);
    const double position = q * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(position);
    const double a = values[low];
    const double b = values[std::min(low + 1, values.size() - 1)];
    return static_cast<float>(a + (b - a) * (position - static_cast<double>(low)));
}

std::vector<float> normal(std::size_t count, unsigned seed, double scale = 1, bool rectified = false)
{
    std::mt19937 random(seed);
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) {
        double sum = -6;
        for (int k = 0; k < 12; ++k)
            sum += static_cast<double>(random()) / 4294967296.0;
        values.push_back(static_cast<float>(rectified ? std::max(0.0, sum * scale) : sum * scale));
    }
    return values;
}

TEST(TensorMeter, ExtremesAreExactWhateverTheLength)
{
    for (const std::size_t count : {1U, 15U, 16U, 17U, 100U, 5000U}) {
        std::vector<float> values(count, 1.0F);
        values[count / 2] = 7.0F;
        values.back() = -3.0F;
        const TensorMeasure measure = measured(values);
        EXPECT_EQ(measure.max, count == 1 ? -3.0F : 7.0F) << count;
        EXPECT_EQ(measure.min, -3.0F) << count;
        EXPECT_EQ(measure.finite(), static_cast<std::int64_t>(count));
    }
}

TEST(TensorMeter, LeavesOutAndCountsWhatIsNotFinite)
{
    std::vector<float> values(40, 2.0F);
    values[0] = kNan;
    values[17] = kInf;
    values[39] = -kInf;
    values[20] = -1.0F;
    const std::vector<std::int64_t> dims{2, 20};
    TensorMeter meter;
    const TensorMeasure& measure = meter.measure(values, dims, 1);
    EXPECT_EQ(measure.min, -1);
    EXPECT_EQ(measure.max, 2);
    EXPECT_EQ(measure.nan, 1);
    EXPECT_EQ(measure.infinite, 2);
    EXPECT_EQ(measure.moments.sum.value(), 71);
    EXPECT_EQ(measure.moments.squares.value(), 145);
    ASSERT_EQ(measure.channels.min.size(), 20U);
    EXPECT_EQ(measure.channels.min[0], -1);
    EXPECT_EQ(measure.channels.counts[0], 1);
    EXPECT_EQ(measure.channels.counts[1], 2);
    EXPECT_EQ(measure.channels.sum[1].value(), 4);
    // The meter can be used again.
    EXPECT_EQ(measured({5, 6}, meter).max, 6);
    EXPECT_EQ(measured({5, 6}, meter).nan, 0);
}

TEST(TensorMeter, NothingAndNothingFiniteHaveMinAboveMax)
{
    EXPECT_GT(measured(std::vector<float>{}).min, measured(std::vector<float>{}).max);
    EXPECT_GT(measured({kNan}).min, measured({kNan}).max);
    TensorMeter meter;
    EXPECT_THAT(measured({kNan}, meter).bins.bins(), testing::IsEmpty());
}

TEST(TensorMeter, CountsEveryElementInTheBinOfItsPattern)
{
    TensorMeter meter;
    const TensorMeasure& measure = measured({0.0F, -0.0F, 1.0F, 1.01F, 1.04F, -2.0F, 1e-42F, 3e38F}, meter);
    const auto one = static_cast<std::int32_t>(127 << 5);
    EXPECT_THAT(measure.bins.bins(),
        testing::ElementsAre(BinCount{-(128 << 5), 1}, BinCount{0, 3}, BinCount{one, 2}, BinCount{one + 1, 1},
            BinCount{logbin::of(3e38F), 1}));
    EXPECT_EQ(logbin::lower(one), 1.0F);
    EXPECT_EQ(logbin::lower(one + 1), 1.03125F);
}

TEST(TensorMeter, OfZerosIsZero)
{
    const TensorMeasure measure = measured(std::vector<float>(5000, 0.0F));
    EXPECT_EQ(measure.min, 0);
    EXPECT_EQ(measure.max, 0);
    EXPECT_EQ(measure.moments, ExactMoments());
}

TEST(TensorMeter, ExtremesOfChannelsHaveNoNegativeZero)
{
    for (const std::int64_t inner : {1, 49}) {
        const std::vector<std::int64_t> dims{4, 2, inner};
        std::vector<float> values(static_cast<std::size_t>(8 * inner), -0.0F);
        values[3] = 0.0F;
        TensorMeter meter;
        const TensorMeasure& measure = meter.measure(values, dims, 1);
        for (const float extreme : {measure.min, measure.max, measure.channels.min[0], measure.channels.max[0],
                 measure.channels.min[1], measure.channels.max[1]})
            EXPECT_FALSE(std::signbit(extreme));
    }
}

/// Every length leaves other values to the loops' ends; and magnitudes that plain addition would round.
TEST(TensorMeter, SumsAndBinsAreExactWhateverTheLengthAndTheKinds)
{
    TensorMeter few({.quantiles = false, .moments = false, .channels = false});
    TensorMeter all;
    for (std::size_t count = 1; count < 140; ++count) {
        auto values = normal(count, static_cast<unsigned>(count), count % 3 == 0 ? 1e30 : 1.0);
        if (count % 4 == 0)
            values[count / 2] = 1e-30F;
        ExactSum sum;
        std::vector<BinCount> bins;
        for (const float value : values) {
            sum.add(value);
            bins.push_back({value < 0 ? -logbin::of(value) : logbin::of(value), 1});
        }
        std::ranges::sort(bins, {}, &BinCount::bin);
        LogHistogram expected;
        for (const BinCount& bin : bins)
            expected.add(std::span(&bin, 1));
        for (TensorMeter* meter : {&few, &all}) {
            const TensorMeasure& measure = measured(values, *meter);
            EXPECT_EQ(measure.moments.sum, sum) << count;
            EXPECT_EQ(measure.bins.bins(), expected.bins()) << count;
            EXPECT_EQ(measure.min, std::ranges::min(values) + 0.0F) << count;
            EXPECT_EQ(measure.max, std::ranges::max(values) + 0.0F) << count;
        }
    }
}

TEST(TensorMeter, SumsAreExact)
{
    for (const bool rectified : {false, true}) {
        const auto values = normal(100'003, 3, 17.3, rectified);
        ExactMoments exact;
        for (const float value : values) {
            exact.sum.add(value);
            exact.squares.add(static_cast<double>(value) * value);
        }
        EXPECT_EQ(measured(values).moments, exact);
    }
}

TEST(TensorMeter, QuantilesAreThoseOfNumpy)
{
    for (const std::size_t count : {2U, 3U, 10U, 999U, 10'001U, 54'321U}) {
        for (const bool rectified : {false, true}) {
            auto values = normal(count, static_cast<unsigned>(count), 2.5, rectified);
            if (count > 5000)
                std::fill_n(values.begin(), 1000, 6.0F); // saturated
            const TensorMeasure measure = measured(values);
            EXPECT_EQ(measure.low, numpyQuantile(values, 1e-4)) << count;
            EXPECT_FLOAT_EQ(measure.high, numpyQuantile(values, 1 - 1e-4)) << count;
            for (float& value : values)
                value = std::abs(value);
            EXPECT_FLOAT_EQ(measure.magnitude, numpyQuantile(values, 1 - 1e-4)) << count;
        }
    }
    EXPECT_EQ(measured({-4, -3}).low, -3.9999F);
    EXPECT_EQ(measured({0, 0, 0}).high, 0);
}

TEST(TensorMeter, ChannelsAreFoundOnAnyAxis)
{
    const auto values = normal(2 * 3 * 20 * 5, 9);
    const std::vector<std::int64_t> dims{2, 3, 20, 5};
    for (std::int64_t axis = 0; axis < 4; ++axis) {
        TensorMeter meter;
        const TensorMeasure& measure = meter.measure(values, dims, axis);
        const auto channels = static_cast<std::size_t>(dims[static_cast<std::size_t>(axis)]);
        ASSERT_EQ(measure.channels.min.size(), channels);
        std::vector<float> least(channels, kInf);
        std::vector<float> most(channels, -kInf);
        std::vector<ExactMoments> moments(channels);
        ExactMoments all;
        std::size_t inner = 1;
        for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < dims.size(); ++i)
            inner *= static_cast<std::size_t>(dims[i]);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t c = i / inner % channels;
            least[c] = std::min(least[c], values[i]);
            most[c] = std::max(most[c], values[i]);
            moments[c].sum.add(values[i]);
            moments[c].squares.add(static_cast<double>(values[i]) * values[i]);
        }
        for (const ExactMoments& channel : moments)
            all.add(channel);
        std::vector<ChannelSum> sum(channels);
        std::vector<ChannelSum> squares(channels);
        for (std::size_t c = 0; c < channels; ++c) {
            sum[c].addRounded(moments[c].sum);
            squares[c].addRounded(moments[c].squares);
        }
        EXPECT_TRUE(std::ranges::equal(measure.channels.min, least)) << axis;
        EXPECT_TRUE(std::ranges::equal(measure.channels.max, most)) << axis;
        EXPECT_TRUE(std::ranges::equal(measure.channels.sum, sum)) << axis;
        EXPECT_TRUE(std::ranges::equal(measure.channels.squares, squares)) << axis;
        EXPECT_EQ(measure.moments, all) << axis;
        for (std::size_t c = 0; c < channels; ++c)
            EXPECT_EQ(measure.channels.counts[c], static_cast<std::int64_t>(values.size() / channels));
        TensorMeter whole;
        EXPECT_EQ(measure.bins.bins(), measured(values, whole).bins.bins());
        EXPECT_EQ(measure.min, *std::ranges::min_element(values));
    }
}

TEST(TensorMeter, CountsManyElements)
{
    const auto part = normal(1 << 16, 4);
    std::vector<float> values;
    for (int i = 0; i < 140; ++i)
        values.insert(values.end(), part.begin(), part.end());
    TensorMeter meterOfPart;
    TensorMeter meter;
    const TensorMeasure& once = measured(part, meterOfPart);
    const TensorMeasure& measure = measured(values, meter);
    const auto bins = measure.bins.bins();
    const auto binsOnce = once.bins.bins();
    ASSERT_EQ(bins.size(), binsOnce.size());
    for (std::size_t i = 0; i < bins.size(); ++i)
        EXPECT_EQ(bins[i], (BinCount{binsOnce[i].bin, 140 * binsOnce[i].count}));
    ExactMoments moments;
    for (int i = 0; i < 140; ++i)
        moments.add(once.moments);
    EXPECT_EQ(measure.moments, moments);
}

TEST(LogHistogram, AddsCountsInAnyOrder)
{
    LogHistogram a;
    LogHistogram b;
    const std::vector<BinCount> first{{-5, 2}, {7, 1}};
    const std::vector<BinCount> second{{-6, 1}, {0, 4}, {7, 2}};
    a.add(first);
    a.add(second);
    b.add(second);
    b.add(first);
    EXPECT_EQ(a, b);
    EXPECT_THAT(a.bins(), testing::ElementsAre(BinCount{-6, 1}, BinCount{-5, 2}, BinCount{0, 4}, BinCount{7, 3}));
    EXPECT_EQ(a.total(), 10U);
}

TEST(LogHistogram, QuantilesLieWithinABinOfTheTruth)
{
    const auto values = normal(100'000, 6, 3.0);
    TensorMeter meter;
    const TensorMeasure& measure = measured(values, meter);
    LogHistogram histogram;
    histogram.add(measure.bins.bins());
    for (const double q : {0.0, 0.001, 0.1, 0.5, 0.9, 0.9999, 1.0}) {
        const float truth = numpyQuantile(values, q);
        EXPECT_NEAR(quantileOf(histogram, q, measure.min, measure.max), truth, 0.032 * std::abs(truth) + 1e-3) << q;
    }
    EXPECT_EQ(quantileOf(histogram, 1.0, -100, 2.0F), 2.0F);
    EXPECT_EQ(quantileOf({}, 0.5, 0, 0), 0);
}

TEST(LogHistogram, QuantilesOfAFewValuesLieBetweenThem)
{
    LogHistogram histogram;
    TensorMeter meter; // holds the bins
    const TensorMeasure& measure = measured({1, 2, 3, 8}, meter);
    histogram.add(measure.bins.bins());
    EXPECT_EQ(quantileOf(histogram, 0, measure.min, measure.max), 1);
    EXPECT_NEAR(quantileOf(histogram, 0.99, measure.min, measure.max), 7.85, 0.01);
    EXPECT_NEAR(quantileOf(histogram, 0.5, measure.min, measure.max), 2.5, 0.1);
    EXPECT_EQ(quantileOf(histogram, 1, measure.min, measure.max), 8);
}

TEST(TensorMeter, TakesTheSameExtremesWithoutAHistogram)
{
    std::vector<float> values = normal(5000, 3);
    for (const bool isFinite : {true, false}) {
        if (!isFinite)
            values[77] = kNan;
        const TensorMeasure whole = measured(values);
        TensorMeter meter({.quantiles = false, .moments = false, .channels = false, .histogram = false});
        const TensorMeasure& extremes = measured(values, meter);
        EXPECT_EQ(extremes.min, whole.min);
        EXPECT_EQ(extremes.max, whole.max);
        EXPECT_EQ(extremes.nan, whole.nan);
        EXPECT_TRUE(extremes.bins.isEmpty);
    }
}

} // namespace
} // namespace duo
