// SPDX-License-Identifier: Apache-2.0
// Tensors of another floating type than the checkpoint's.
#include "core/content/float_values.h"
#include "tests/core/content/content_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace duo::test {
namespace {

Tensor floats(std::vector<std::int64_t> dims, const std::vector<float>& values)
{
    std::vector<std::byte> bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    Tensor tensor;
    tensor.type = ElementType::Float32;
    tensor.dims = std::move(dims);
    tensor.data = SharedBytes::own(std::move(bytes));
    return tensor;
}

std::vector<std::byte> convertedTo(ElementType type, const std::vector<float>& values)
{
    std::vector<std::byte> bytes(values.size() * static_cast<std::size_t>(elementBits(type) / 8));
    const auto count = static_cast<std::int64_t>(values.size());
    convertElements(floats({count}, values), 0, type, bytes);
    return bytes;
}

std::shared_ptr<const Model> product(const std::vector<float>& weight, std::vector<std::int64_t> dims)
{
    ModelBuilder builder;
    builder.input("x", {4, 8}).weight("w", std::move(dims), weight).node("MatMul", "m", {"x", "w"}, {"y"}).output("y");
    return builder.build();
}

TEST(Converted, RoundsToNearestEven)
{
    const auto half = convertedTo(ElementType::Float16, {1.0F, 2049.0F, 2051.0F, 65520.0F, 1e-8F});
    std::vector<std::uint16_t> bits(5);
    std::memcpy(bits.data(), half.data(), half.size());
    EXPECT_EQ(bits, (std::vector<std::uint16_t>{0x3C00, 0x6800, 0x6802, 0x7C00, 0x0000}));
    const auto brain = convertedTo(ElementType::BFloat16, {1.0F, 257.0F, 259.0F});
    bits.resize(3);
    std::memcpy(bits.data(), brain.data(), brain.size());
    EXPECT_EQ(bits, (std::vector<std::uint16_t>{0x3F80, 0x4380, 0x4382}));
}

TEST(Converted, WidenedWeightIsFound)
{
    auto values = randomValues(48, 1);
    const auto brain = convertedTo(ElementType::BFloat16, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::uint16_t bits = 0;
        std::memcpy(&bits, brain.data() + 2 * i, 2);
        const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16U;
        std::memcpy(&values[i], &wide, 4);
    }
    const ContentCase found(product(transposedValues(values, 6, 8), {8, 6}),
        CheckpointBuilder().bytes("fc.weight", ElementType::BFloat16, {6, 8}, brain).build());
    EXPECT_EQ(found.at("w"), (Owners{{"fc.weight"}, "converted", "proof"}));
    EXPECT_EQ(
        found.match("w").evidence.front(), "widened to float32 from 'fc.weight', axes in the order 1, 0, 48 elements");
}

TEST(Converted, RoundedWeightIsFoundInADoubleCheckpoint)
{
    const auto values = randomValues(48, 1);
    std::vector<double> wide(values.begin(), values.end());
    for (double& value : wide)
        value *= 1 + 1e-10;
    std::vector<std::byte> bytes(wide.size() * sizeof(double));
    std::memcpy(bytes.data(), wide.data(), bytes.size());
    const ContentCase found(
        product(values, {8, 6}), CheckpointBuilder().bytes("fc.weight", ElementType::Float64, {8, 6}, bytes).build());
    EXPECT_EQ(found.at("w"), (Owners{{"fc.weight"}, "converted", "proof"}));
}

} // namespace
} // namespace duo::test
