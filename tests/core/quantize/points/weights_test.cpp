// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/weights.h"

#include "core/quantize/points/weight_error.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using duo::test::ModelBuilder;
using testing::ElementsAre;

namespace duo {
namespace {

std::vector<int> codes(const Weight& weight, const QuantizationParameters& parameters)
{
    std::vector<int> result;
    for (const std::byte b : quantizedCodes(weight, parameters))
        result.push_back(static_cast<std::int8_t>(b));
    return result;
}

TEST(WeightChannelAxis, IsThatOfTheColumnsOfAMatrixAndNoneOfAStack)
{
    const auto model = ModelBuilder().input("x").weight("w", {2, 2}).node("MatMul", "m", {"x", "w"}, {"y"}).build();
    EXPECT_EQ(weightChannelAxis(*model, model->findNode("m"), 1, 2), 1);
    EXPECT_EQ(weightChannelAxis(*model, model->findNode("m"), 1, 3), std::nullopt);
}

TEST(ReadWeight, FollowsATransposeBackToTheInitializerAndAppliesIt)
{
    const auto model = ModelBuilder()
                           .input("x")
                           .weight("w", {2, 3}, {1, 2, 3, 4, 5, 6})
                           .node("Transpose", "t", {"w"}, {"wt"}, {{"perm", std::vector<std::int64_t>{1, 0}}})
                           .node("MatMul", "m", {"x", "wt"}, {"y"})
                           .output("y")
                           .build();
    const auto weight = readWeight(*model, model->findNode("m"), 1);
    ASSERT_TRUE(weight) << weight.error().line();
    EXPECT_EQ(weight->name, "w");
    EXPECT_THAT(weight->dims, ElementsAre(3, 2));
    EXPECT_THAT(weight->values, ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(ReadWeight, RefusesAnInputThatIsNoConstant)
{
    const auto model = ModelBuilder().input("x").input("z").node("MatMul", "m", {"x", "z"}, {"y"}).output("y").build();
    EXPECT_EQ(readWeight(*model, model->findNode("m"), 1).error().line(),
        "the weight is not a constant: node 'm': ignore the node");
}

TEST(MaxAbsByChannel, WorksAlongAnyAxisAndKeepsNaN)
{
    const Weight weight{"w", {}, {2, 3}, {1, -2, 3, -4, 5, -6}};
    EXPECT_THAT(maxAbsByChannel(weight, 0), ElementsAre(3, 6));
    EXPECT_THAT(maxAbsByChannel(weight, 1), ElementsAre(4, 5, 6));
    EXPECT_THAT(maxAbsByChannel(weight, std::nullopt), ElementsAre(6));
    const Weight broken{"w", {}, {2}, {std::numeric_limits<float>::quiet_NaN(), 1}};
    EXPECT_TRUE(std::isnan(maxAbsByChannel(broken, std::nullopt)[0]));
}

TEST(QuantizedCodes, RoundHalfToEvenAndStayInTheNarrowRange)
{
    const Weight weight{"w", {}, {5}, {0.5F, 1.5F, -2.5F, 300, -300}};
    EXPECT_THAT(codes(weight, {ElementType::Int8, {1}, {0}, std::nullopt}), ElementsAre(0, 2, -2, 127, -127));
}

TEST(QuantizedCodes, UseTheScaleOfTheirChannel)
{
    const Weight weight{"w", {}, {2, 2}, {1, 1, 1, 1}};
    EXPECT_THAT(codes(weight, {ElementType::Int8, {1, 0.5F}, {0, 0}, 0}), ElementsAre(1, 1, 2, 2));
    EXPECT_THAT(codes(weight, {ElementType::Int8, {1, 0.5F}, {0, 0}, 1}), ElementsAre(1, 2, 1, 2));
}

TEST(WeightError, IsWhatIsLostByTheCodesOfEachChannel)
{
    const Weight weight{"w", {}, {2, 2}, {0.25F, 3, 0.5F, 200}};
    const WeightError error = weightError(weight, {ElementType::Int8, {1, 0.5F}, {0, 0}, 0});
    EXPECT_DOUBLE_EQ(error.signal, 0.0625 + 9 + 0.25 + 40000);
    EXPECT_DOUBLE_EQ(error.noise, 0.0625 + 136.5 * 136.5); // 200 is clipped to 63.5
}

TEST(CodeEnds, AreTheRealValuesOfTheOutermostCodes)
{
    const Range table = codeEnds({ElementType::UInt8, {0.5F}, {10}, std::nullopt});
    EXPECT_EQ(table.min, -5);
    EXPECT_EQ(table.max, 122.5F);
    EXPECT_EQ(codeEnds({ElementType::Int8, {1, 2}, {0, 0}, 0}, 1).max, 254);
}

} // namespace
} // namespace duo
