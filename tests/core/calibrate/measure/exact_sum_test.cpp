// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/exact_moments.h"

#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(ExactSum, IsTheSameInAnyOrder)
{
    const std::vector<double> values{1e30, 1.0, -1e30, 0x1p-149, 3.5, -0x1p-280, 1e38};
    ExactSum forward;
    ExactSum backward;
    for (const double value : values)
        forward.add(value);
    for (auto value = values.rbegin(); value != values.rend(); ++value)
        backward.add(*value);
    EXPECT_EQ(forward, backward);
    forward.add(-1e38);
    EXPECT_EQ(forward.value(), 4.5);
    forward.add(-4.5);
    forward.add(0x1p-280);
    EXPECT_EQ(forward.value(), 0x1p-149);
    forward.add(-0x1p-148);
    EXPECT_EQ(forward.value(), -0x1p-149);
}

TEST(ExactSum, OfChannelsRoundsToItsUnitAndStopsAtItsEnd)
{
    ChannelSum sum;
    sum.add(0x1p-97);
    EXPECT_EQ(sum.value(), 0x1p-96);
    sum = {};
    sum.add(0x1p-99);
    EXPECT_EQ(sum.value(), 0);
    sum.add(1e70);
    sum.add(-1e70);
    EXPECT_EQ(sum.value(), 0);
    sum.add(-1e70);
    EXPECT_LT(sum.value(), -1e30);
}

TEST(ExactSum, RoundsAWholeSumToTheUnitOfChannels)
{
    ExactSum fine;
    for (int i = 0; i < 3; ++i)
        fine.add(0x1p-98); // each alone would vanish
    fine.add(-0x1p70);
    ChannelSum coarse;
    coarse.addRounded(fine);
    ChannelSum expected;
    expected.add(0x1p-96);
    expected.add(-0x1p70);
    EXPECT_EQ(coarse, expected);
    ExactSum huge;
    huge.add(-1e70);
    coarse.addRounded(huge);
    EXPECT_LT(coarse.value(), -1e30);
}

/// Signed values whose magnitudes lie between 2^lowest and 2^highest, and some zeros.
std::vector<float> spread(std::size_t count, int lowest, int highest, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) {
        const double mantissa = 1 + static_cast<double>(random()) / 4294967296.0;
        const int exponent = lowest + static_cast<int>(random() % static_cast<unsigned>(highest - lowest));
        const double value = random() % 16 == 0 ? 0 : std::ldexp(mantissa, exponent);
        values.push_back(static_cast<float>(random() % 2 == 0 ? value : -value));
    }
    return values;
}

MagnitudeSpan magnitudesOf(const std::vector<float>& values)
{
    MagnitudeSpan span;
    for (const float value : values) {
        const std::int32_t pattern = std::bit_cast<std::int32_t>(value) & 0x7FFFFFFF;
        span.most = std::max(span.most, pattern);
        if (pattern != 0)
            span.least = span.least == 0 ? pattern : std::min(span.least, pattern);
    }
    return span;
}

ExactMoments oneByOne(const std::vector<float>& values, std::size_t first, std::size_t stride)
{
    ExactMoments moments;
    for (std::size_t i = first; i < values.size(); i += stride) {
        moments.sum.add(values[i]);
        moments.squares.add(static_cast<double>(values[i]) * values[i]);
    }
    return moments;
}

TEST(ExactMoments, LoseNothingHoweverFarApartMagnitudesAre)
{
    for (const int distance : {1, 15, 18, 19, 20, 35, 40, 41, 45, 80, 83, 84, 90, 120}) {
        for (const std::size_t count : {1U, 16U, 37U, 2048U}) {
            for (const int lowest : {-149, -60, 127 - distance}) {
                const auto values = spread(count, lowest, lowest + distance, static_cast<unsigned>(distance));
                ExactMoments moments;
                addExactly(values.data(), count, magnitudesOf(values), true, moments);
                EXPECT_EQ(moments, oneByOne(values, 0, 1)) << distance << ' ' << count << ' ' << lowest;
                ExactMoments sumOnly;
                addExactly(values.data(), count, magnitudesOf(values), false, sumOnly);
                EXPECT_EQ(sumOnly.sum, moments.sum);
                EXPECT_EQ(sumOnly.squares, ExactSum());
            }
        }
    }
}

TEST(ExactMoments, OfTheLargestNumbersOfOneSignDoNotOverflowAPart)
{
    const std::vector<float> values(2048, std::bit_cast<float>(0x7F7FFFFFU));
    ExactMoments moments;
    addExactly(values.data(), values.size(), magnitudesOf(values), true, moments);
    EXPECT_EQ(moments, oneByOne(values, 0, 1));
}

TEST(ExactMoments, OfColumnsAreThoseOfEach)
{
    for (const std::size_t lanes : {5U, 16U}) {
        for (const int distance : {5, 30, 60, 110}) {
            const auto values = spread(lanes * 128, -40, distance - 40, 7);
            std::vector<ExactMoments> columns(lanes);
            ExactMoments all;
            addColumnsExactly(values.data(), 128, lanes, magnitudesOf(values), columns, all);
            for (std::size_t lane = 0; lane < lanes; ++lane)
                EXPECT_EQ(columns[lane], oneByOne(values, lane, lanes)) << lane << ' ' << distance;
            EXPECT_EQ(all, oneByOne(values, 0, 1)) << distance;
        }
    }
}

} // namespace
} // namespace duo
