// SPDX-License-Identifier: Apache-2.0
#include "core/model/tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

using ::testing::ElementsAre;

namespace duo {
namespace {

Tensor halfTensor(std::vector<std::uint16_t> bits)
{
    Tensor tensor{
        .name = "h", .type = ElementType::Float16, .dims = {static_cast<std::int64_t>(bits.size())}, .data = {}};
    std::vector<std::byte> bytes;
    for (const auto b : bits) {
        bytes.push_back(static_cast<std::byte>(b & 0xFFU));
        bytes.push_back(static_cast<std::byte>(b >> 8U));
    }
    tensor.data = SharedBytes::own(std::move(bytes));
    return tensor;
}

TEST(ElementCount, IsNothingForNegativeAndOverflowingDims)
{
    EXPECT_EQ(elementCount(std::vector<std::int64_t>{2, 3}), 6);
    EXPECT_EQ(elementCount(std::vector<std::int64_t>{}), 1);
    EXPECT_EQ(elementCount(std::vector<std::int64_t>{0, std::numeric_limits<std::int64_t>::max()}), 0);
    EXPECT_EQ(elementCount(std::vector<std::int64_t>{2, -1}), std::nullopt);
    EXPECT_EQ(elementCount(std::vector<std::int64_t>{std::int64_t{1} << 40, std::int64_t{1} << 40}), std::nullopt);
}

TEST(PackedBytes, RoundsSubByteTypesUp)
{
    EXPECT_EQ(packedBytes(ElementType::Int4, 3), 2);
    EXPECT_EQ(packedBytes(ElementType::Float32, 3), 12);
    EXPECT_EQ(packedBytes(ElementType::String, 3), std::nullopt);
}

TEST(ToFloats, WidensHalfPrecisionExactly)
{
    EXPECT_THAT(toFloats(halfTensor({0x3C00, 0xC000, 0x0001, 0x7C00})),
        ElementsAre(1.0F, -2.0F, 0x1p-24F, std::numeric_limits<float>::infinity()));
}

TEST(ToInts, UnpacksCodesThatShareAByte)
{
    const auto packed = [](ElementType type, std::int64_t count) {
        return Tensor{
            .name = "q", .type = type, .dims = {count}, .data = SharedBytes::own({std::byte{0x8F}, std::byte{0x01}})};
    };
    EXPECT_THAT(toInts(packed(ElementType::Int4, 3)), ElementsAre(-1, -8, 1));
    EXPECT_THAT(toInts(packed(ElementType::UInt4, 3)), ElementsAre(15, 8, 1));
    EXPECT_THAT(toInts(packed(ElementType::Int2, 5)), ElementsAre(-1, -1, 0, -2, 1));
    EXPECT_THAT(toFloats(packed(ElementType::UInt2, 5)), ElementsAre(3, 3, 0, 2, 1));
}

TEST(ToFloats, IsEmptyWhereBytesAreMissing)
{
    Tensor tensor = halfTensor({0x3C00});
    tensor.dims = {5};
    EXPECT_TRUE(toFloats(tensor).empty());
}

} // namespace
} // namespace duo
