// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/fake_quantize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;

std::vector<float> faked(
    const std::vector<float>& values, const std::vector<std::int64_t>& dims, const QuantizationParameters& parameters)
{
    std::vector<float> out(values.size());
    fakeQuantize(values, dims, parameters, out);
    return out;
}

TEST(FakeQuantize, RoundsHalfToEvenAndClamps)
{
    const QuantizationParameters unsignedBytes{ElementType::UInt8, {0.5F}, {10}, std::nullopt};
    EXPECT_THAT(faked({0.25F, 0.75F, -0.25F, 1000, -1000, 0}, {6}, unsignedBytes), ElementsAre(0, 1, 0, 122.5F, -5, 0));
    const QuantizationParameters wide{ElementType::Int16, {1}, {0}, std::nullopt};
    EXPECT_THAT(faked({40000, -40000, 2.5F, 3.5F}, {4}, wide), ElementsAre(32767, -32768, 2, 4));
}

TEST(FakeQuantize, TakesTheScaleOfEachChannel)
{
    const QuantizationParameters parameters{ElementType::Int8, {1, 10}, {0, 0}, 1};
    EXPECT_THAT(faked({1.2F, 1.2F, 14, 16, 2.2F, 2.2F, 24, 26}, {2, 2, 2}, parameters),
        ElementsAre(1, 1, 10, 20, 2, 2, 20, 30));
}

TEST(Dequantize, ReadsCodesOfEveryWidth)
{
    const std::vector<std::byte> bytes{std::byte{0xFF}, std::byte{0x01}, std::byte{0}, std::byte{0}};
    std::vector<float> four(4);
    dequantize(bytes, {}, {ElementType::Int8, {2}, {1}, std::nullopt}, four);
    EXPECT_THAT(four, ElementsAre(-4, 0, -2, -2));
    dequantize(bytes, {}, {ElementType::UInt8, {2}, {1}, std::nullopt}, four);
    EXPECT_THAT(four, ElementsAre(508, 0, -2, -2));
    std::vector<float> one(1);
    dequantize(bytes, {}, {ElementType::Int32, {0.5F}, {}, std::nullopt}, one);
    EXPECT_THAT(one, ElementsAre(255.5F)); // 0x1FF
}

} // namespace
} // namespace duo
