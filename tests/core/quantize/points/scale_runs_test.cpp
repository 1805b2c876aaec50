// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/scale_runs.h"

#include "core/quantize/points/fake_quantize.h"
#include "core/quantize/points/weight_error.h"
#include "core/quantize/points/weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Dims = std::vector<std::int64_t>;

/// For each element the index of its scale.
std::vector<std::size_t> scalesOf(const Dims& dims, std::optional<std::int64_t> axis, std::int64_t block)
{
    std::size_t count = 1;
    for (const std::int64_t dim : dims)
        count *= static_cast<std::size_t>(dim);
    std::vector<std::size_t> scales(count, 99);
    forEachRun(count, dims, axis, block, [&](std::size_t first, std::size_t length, std::size_t scale) {
        for (std::size_t i = first; i < first + length; ++i)
            scales[i] = scale;
    });
    return scales;
}

TEST(ScaleRuns, AreOfATensorAChannelOrABlock)
{
    EXPECT_THAT(scalesOf({2, 3}, std::nullopt, 0), ElementsAre(0, 0, 0, 0, 0, 0));
    EXPECT_THAT(scalesOf({2, 3}, 0, 0), ElementsAre(0, 0, 0, 1, 1, 1));
    EXPECT_THAT(scalesOf({2, 3}, 1, 0), ElementsAre(0, 1, 2, 0, 1, 2));
    EXPECT_THAT(scalesOf({3, 2}, 0, 2), ElementsAre(0, 1, 0, 1, 2, 3)); // the last block has one row
    EXPECT_THAT(scalesOf({2, 3}, 1, 2), ElementsAre(0, 0, 1, 2, 2, 3));
}

TEST(ScaleRuns, LieAsDequantizeLinearTakesThem)
{
    EXPECT_THAT(scaleDims(Dims{5, 3}, std::nullopt, 0), IsEmpty());
    EXPECT_THAT(scaleDims(Dims{5, 3}, 1, 0), ElementsAre(3));
    EXPECT_THAT(scaleDims(Dims{5, 3}, 0, 2), ElementsAre(3, 3));
    EXPECT_EQ(scaleCount(Dims{5, 3}, 0, 2), 9U);
    EXPECT_EQ(scaleCount(Dims{5, 3}, 0, 0), 5U);
    EXPECT_EQ(scaleCount(Dims{5, 3}, 7, 0), 1U); // no such axis
}

TEST(ScaleRuns, CodesOfBlocksComeBackAsTheNumbersTheyStandFor)
{
    const Weight weight{"w", {}, {3, 2}, {1, -8, 0.5F, 7, 3, -4}};
    const QuantizationParameters parameters{ElementType::Int4, {0.5F, 1, 3, 2}, {0, 0, 0, 0}, 0, 2};
    const auto codes = quantizedCodes(weight, parameters);
    ASSERT_EQ(codes.size(), 3U);
    EXPECT_EQ(std::to_integer<int>(codes[0]), 0x82); // 2, then -8: of so few codes none is spared
    std::vector<float> back(6);
    dequantize(codes, weight.dims, parameters, back);
    EXPECT_EQ(back, weight.values);
    EXPECT_EQ(weightError(weight, parameters).noise, 0);
    fakeQuantize(weight.values, weight.dims, parameters, back);
    EXPECT_EQ(back, weight.values);
}

TEST(ScaleRuns, AreNoneOfAWeightWithoutElements)
{
    EXPECT_THAT(scalesOf({0, 3}, std::nullopt, 0), IsEmpty());
    EXPECT_THAT(scalesOf({0, 3}, 0, 0), IsEmpty());
    for (const std::optional<std::int64_t> axis : {std::optional<std::int64_t>(), std::optional<std::int64_t>(0)}) {
        const Weight weight{"w", {}, {0, 3}, {}};
        EXPECT_THAT(quantizedCodes(weight, {ElementType::Int8, {}, {}, axis}), IsEmpty()) << "no scale to be read";
    }
}

TEST(ScaleRuns, TellTheRangeOfEachBlock)
{
    const Weight weight{"w", {}, {3, 2}, {1, -8, 0.5F, 7, 3, -4}};
    EXPECT_THAT(maxAbsByChannel(weight, 0, 2), ElementsAre(1, 8, 3, 4));
    const auto ranges = rangesByScale(weight, 0, 2);
    ASSERT_EQ(ranges.size(), 4U);
    EXPECT_EQ(ranges[1].min, -8);
    EXPECT_EQ(ranges[1].max, 7);
    EXPECT_EQ(ranges[3].max, 0) << "zero has a code";
}

} // namespace
} // namespace duo
