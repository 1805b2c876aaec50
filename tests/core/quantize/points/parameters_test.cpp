// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace duo {
namespace {

constexpr QuantizerConfig kAsymmetric{.mode = QuantizationMode::Asymmetric};
constexpr QuantizerConfig kWeight{.perChannel = true, .narrowRange = true};

QuantizationParameters activation(const QuantizerConfig& config, Range range)
{
    return *activationParameters(config, range, ActivationCodes::UInt8);
}

TEST(ActivationParameters, PositiveRangeStartsAtZeroAndKeepsItsEnd)
{
    const auto p = activation(kAsymmetric, {0, 6});
    EXPECT_EQ(p.type, ElementType::UInt8);
    EXPECT_FLOAT_EQ(p.scale[0], 6.0F / 255.0F);
    EXPECT_LE(p.scale[0] * 255.0F, 6.0F); // or ONNX Runtime keeps a Clip(0, 6) before it
    EXPECT_EQ(p.zeroPoint[0], 0);
}

TEST(ActivationParameters, AsymmetricRangeIsWidenedSoThatZeroIsExact)
{
    const auto p = activation(kAsymmetric, {-1, 3});
    EXPECT_EQ(p.zeroPoint[0], 64);
    EXPECT_FLOAT_EQ(p.scale[0] * 191, 3.0F);
    EXPECT_LE(p.scale[0] * -64, -1.0F);
}

TEST(ActivationParameters, RangeWithoutZeroIsExtendedToIt)
{
    EXPECT_EQ(activation(kAsymmetric, {2, 4}).zeroPoint[0], 0);
    EXPECT_EQ(activation(kAsymmetric, {-4, -2}).zeroPoint[0], 255);
}

TEST(ActivationParameters, ConstantZeroGetsAPositiveScale)
{
    EXPECT_GT(activation(kAsymmetric, {0, 0}).scale[0], 0);
    EXPECT_GT(activation({}, {0, 0}).scale[0], 0);
}

TEST(ActivationParameters, SmallNumbersKeepTheirResolutionUnlessNncfsFloorsHold)
{
    const Range small{-2e-6F, 1e-6F};
    EXPECT_FLOAT_EQ(activation(kAsymmetric, small).scale[0] * 170, 2e-6F);
    EXPECT_FLOAT_EQ(activation({}, small).scale[0], 2e-6F / 127.0F);
    const auto likeNncf = activationParameters(kAsymmetric, small, ActivationCodes::UInt8, RangeFloor::Nncf);
    EXPECT_GT(likeNncf->scale[0] * 255, 1.5e-3F);
}

TEST(ActivationParameters, SymmetricSignedStaysInUint8WhereTheRuntimeWantsIt)
{
    const auto p = activation({}, {-2, 1});
    EXPECT_EQ(p.type, ElementType::UInt8);
    EXPECT_EQ(p.zeroPoint[0], 128);
    EXPECT_FLOAT_EQ(p.scale[0], 2.0F / 127.0F);
    EXPECT_EQ(activationParameters({}, {-2, 1}, ActivationCodes::SignDecides)->type, ElementType::Int8);
}

TEST(ActivationParameters, RefusesARangeThatIsNoRange)
{
    const auto p = activationParameters(kAsymmetric, {1, 0}, ActivationCodes::UInt8);
    ASSERT_FALSE(p);
    EXPECT_EQ(p.error().what, "no finite value was measured");
    EXPECT_FALSE(activationParameters({.numBits = 5}, {0, 1}, ActivationCodes::UInt8));
}

TEST(WeightParameters, EachChannelUsesAllCodesAndADeadOneTakesTheLargestScale)
{
    const float maxAbs[] = {1.27F, 0.0F, 1.27e-7F};
    const auto p = *weightParameters(kWeight, maxAbs, false);
    EXPECT_FLOAT_EQ(p.scale[0], 0.01F);
    EXPECT_FLOAT_EQ(p.scale[1], 0.01F);
    EXPECT_FLOAT_EQ(p.scale[2], 1e-9F);
    EXPECT_THAT(p.zeroPoint, testing::ElementsAre(0, 0, 0));
}

TEST(WeightParameters, NncfGivesEveryChannelOnePerCentOfTheLargest)
{
    const float maxAbs[] = {1.27F, 0.0F};
    EXPECT_FLOAT_EQ(weightParameters(kWeight, maxAbs, false, RangeFloor::Nncf)->scale[1], 0.0001F);
}

TEST(ChannelParameters, HaveOneScaleEachAndOneType)
{
    const std::vector<Range> channels{{0, 1}, {-0.5F, 2}, {0, 0}};
    const auto signedOnes = channelParameters({}, channels, ActivationCodes::SignDecides);
    ASSERT_TRUE(signedOnes);
    EXPECT_EQ(signedOnes->type, ElementType::Int8);
    EXPECT_EQ(signedOnes->axis, 1);
    EXPECT_FLOAT_EQ(signedOnes->scale[0], 1.0F / 127.0F);
    EXPECT_FLOAT_EQ(signedOnes->scale[1], 2.0F / 127.0F);
    EXPECT_FLOAT_EQ(signedOnes->scale[2], 0.02F / 127.0F); // a hundredth of the widest
    EXPECT_THAT(signedOnes->zeroPoint, testing::Each(0));
    const auto shifted = channelParameters(kAsymmetric, channels, ActivationCodes::SignDecides);
    ASSERT_TRUE(shifted);
    EXPECT_EQ(shifted->type, ElementType::Int8);
    EXPECT_EQ(shifted->zeroPoint[0], -128);
    EXPECT_EQ(shifted->zeroPoint[1], -77);
}

TEST(ChannelParameters, RefuseAChannelThatIsNotFinite)
{
    const std::vector<Range> channels{{0, 1}, {0, std::numeric_limits<float>::infinity()}};
    const auto refused = channelParameters({}, channels, ActivationCodes::UInt8);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().what, "no finite value was measured");
}

TEST(WeightParameters, HalfRangeDoublesTheScale)
{
    const float maxAbs[] = {1.0F};
    EXPECT_NEAR(weightParameters(kWeight, maxAbs, true)->scale[0] * 64, 1.0F, 0.02F);
}

TEST(WeightParameters, NamesTheChannelThatIsNotFinite)
{
    const float maxAbs[] = {1.0F, std::numeric_limits<float>::quiet_NaN()};
    EXPECT_EQ(weightParameters(kWeight, maxAbs, false).error().what, "channel 1 holds a value that is not finite");
}

} // namespace
} // namespace duo
