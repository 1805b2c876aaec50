// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/fixed_filters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace duo {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

double hann(std::size_t i, std::size_t length)
{
    return 0.5 - 0.5 * std::cos(kTurn * static_cast<double>(i) / static_cast<double>(length));
}

/// Rows: cosines, then sines, under a window.
FilterBank fourier(std::size_t length, bool isWindowed)
{
    FilterBank bank{{}, 2 * (length / 2 + 1), length, false};
    for (std::size_t f = 0; f < bank.filters; ++f) {
        const auto k = static_cast<double>(f % (length / 2 + 1)) / static_cast<double>(length);
        for (std::size_t i = 0; i < length; ++i) {
            const double angle = kTurn * k * static_cast<double>(i);
            const double wave = f <= length / 2 ? std::cos(angle) : -std::sin(angle);
            bank.values.push_back(static_cast<float>(wave * (isWindowed ? hann(i, length) : 1)));
        }
    }
    return bank;
}

/// Frequencies with a constant ratio, each as long as its tone needs, in the middle of the filter.
FilterBank constantQ(std::size_t length)
{
    FilterBank bank{{}, 24, length, false};
    for (std::size_t f = 0; f < bank.filters; ++f) {
        const double frequency = 0.25 * std::pow(2, -static_cast<double>(f) / 12);
        const auto support = static_cast<std::size_t>(std::min(static_cast<double>(length), 16 / frequency));
        const std::size_t first = (length - support) / 2;
        for (std::size_t i = 0; i < length; ++i) {
            const bool isInside = i >= first && i < first + support;
            bank.values.push_back(isInside ? static_cast<float>(
                                      hann(i - first, support) * std::cos(kTurn * frequency * static_cast<double>(i)))
                                           : 0.0F);
        }
    }
    return bank;
}

FilterBank random(std::size_t filters, std::size_t length, bool isSmooth)
{
    std::mt19937 engine(1);
    std::normal_distribution<float> normal;
    FilterBank bank{{}, filters, length, false};
    for (std::size_t i = 0; i < filters * length; ++i) {
        const float before = isSmooth && i % length != 0 ? bank.values.back() : 0.0F;
        bank.values.push_back(0.9F * before + normal(engine));
    }
    return bank;
}

TEST(FixedFilters, KnowsAFourierTransform)
{
    EXPECT_TRUE(isSinusoidBank(fourier(64, true)));
    EXPECT_TRUE(isSinusoidBank(fourier(320, true)));
    EXPECT_TRUE(isSinusoidBank(fourier(512, false)));
}

TEST(FixedFilters, KnowsItByColumnsToo)
{
    const FilterBank rows = fourier(64, true);
    FilterBank columns{std::vector<float>(rows.values.size()), rows.filters, rows.length, true};
    for (std::size_t f = 0; f < rows.filters; ++f) {
        for (std::size_t i = 0; i < rows.length; ++i)
            columns.values[i * rows.filters + f] = rows.values[f * rows.length + i];
    }
    EXPECT_TRUE(isSinusoidBank(columns));
}

TEST(FixedFilters, KnowsAConstantQTransform)
{
    EXPECT_TRUE(isSinusoidBank(constantQ(256)));
}

TEST(FixedFilters, TakesNoLearnedFiltersForSinusoids)
{
    EXPECT_FALSE(isSinusoidBank(random(64, 64, false)));
    EXPECT_FALSE(isSinusoidBank(random(128, 320, false)));
    EXPECT_FALSE(isSinusoidBank(random(64, 128, true))); // low frequencies only, as weights of images
}

/// The square table of cosines or sines that a step of a fast Fourier transform multiplies by.
FilterBank step(std::size_t length, double phase)
{
    FilterBank bank{{}, length, length, false};
    for (std::size_t f = 0; f < length; ++f) {
        for (std::size_t i = 0; i < length; ++i)
            bank.values.push_back(
                static_cast<float>(std::cos(kTurn * static_cast<double>(f * i) / static_cast<double>(length) + phase)));
    }
    return bank;
}

TEST(FixedFilters, KnowsTheStepsOfAFastTransform)
{
    for (const std::size_t length : {8U, 16U, 32U}) {
        EXPECT_TRUE(isSinusoidBank(step(length, 0))) << length;
        EXPECT_TRUE(isSinusoidBank(step(length, kTurn / 4))) << length;
    }
}

TEST(FixedFilters, TakesNoShortFiltersThatAreNearlySinusoids)
{
    FilterBank trained = step(16, 0);
    trained.values[100] += 0.01F;
    EXPECT_FALSE(isSinusoidBank(trained));
    EXPECT_FALSE(isSinusoidBank(random(16, 16, false)));
    FilterBank ramps{{}, 16, 16, false}; // as interpolation has them
    for (std::size_t i = 0; i < 256; ++i)
        ramps.values.push_back(static_cast<float>(i % 16 + i / 16));
    EXPECT_FALSE(isSinusoidBank(ramps));
}

TEST(FixedFilters, TakesNothingShortOrAlike)
{
    EXPECT_FALSE(isSinusoidBank(fourier(16, true)));
    EXPECT_FALSE(isSinusoidBank(step(4, 0)));
    FilterBank same = fourier(64, true);
    for (std::size_t i = 0; i < same.values.size(); ++i)
        same.values[i] = same.values[5 * 64 + i % 64];
    EXPECT_FALSE(isSinusoidBank(same));
}

TEST(FixedFilters, StandsBrokenNumbersAndSizes)
{
    FilterBank bank = fourier(64, true);
    std::fill(bank.values.begin(), bank.values.end(), std::nanf(""));
    EXPECT_FALSE(isSinusoidBank(bank));
    EXPECT_FALSE(isSinusoidBank({{1, 2, 3}, 2, 64, false}));
    EXPECT_FALSE(isBandBank({{}, 0, 0, false}));
}

/// Triangles that overlap by half.
FilterBank triangles(std::size_t filters, std::size_t step)
{
    FilterBank bank{{}, filters, (filters + 1) * step, false};
    for (std::size_t f = 0; f < filters; ++f) {
        for (std::size_t i = 0; i < bank.length; ++i) {
            const double off = std::abs(static_cast<double>(i) - static_cast<double>((f + 1) * step));
            bank.values.push_back(static_cast<float>(std::max(0.0, 1 - off / static_cast<double>(step))));
        }
    }
    return bank;
}

TEST(FixedFilters, KnowsABankOfBands)
{
    EXPECT_TRUE(isBandBank(triangles(32, 8)));
}

TEST(FixedFilters, TakesNoOtherWeightsForBands)
{
    EXPECT_FALSE(isBandBank(random(32, 64, false)));
    FilterBank negative = triangles(32, 8);
    negative.values[8] = -1;
    EXPECT_FALSE(isBandBank(negative));
    FilterBank split = triangles(32, 8);
    split.values[100] = 1; // two bands
    EXPECT_FALSE(isBandBank(split));
}

} // namespace
} // namespace duo
