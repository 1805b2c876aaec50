// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/signal_error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace duo {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename T> HostTensor tensorOf(ElementType type, const std::vector<T>& values)
{
    HostTensor tensor{"t", type, {static_cast<std::int64_t>(values.size())}, {}};
    tensor.bytes.resize(values.size() * sizeof(T));
    std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
    return tensor;
}

SignalError errorOf(const HostTensor& a, const HostTensor& b)
{
    return signalError(viewOf(a), viewOf(b));
}

SignalError errorOf(const std::vector<float>& a, const std::vector<float>& b)
{
    return errorOf(tensorOf(ElementType::Float32, a), tensorOf(ElementType::Float32, b));
}

TEST(SignalError, ComparesEnergiesOfSignalAndDifference)
{
    const SignalError error = errorOf({3, 4}, {3.5, 4});
    EXPECT_DOUBLE_EQ(error.sqnrDb().value(), 20); // 25 / 0.25
    EXPECT_DOUBLE_EQ(error.cosine().value(), 26.5 / std::sqrt(25 * 28.25));
    EXPECT_EQ(error.finiteMaxAbs(), 0.5);
    EXPECT_FALSE(error.identical);
    EXPECT_EQ(error.nonFinite, 0);
}

TEST(SignalError, IsNotFiniteButIdenticalForEqualTensors)
{
    const SignalError error = errorOf({3, 0}, {3, -0.0F});
    EXPECT_EQ(error.sqnrDb(), std::nullopt);
    EXPECT_EQ(error.cosine(), 1);
    EXPECT_EQ(error.finiteMaxAbs(), 0);
    EXPECT_TRUE(error.identical);
}

TEST(SignalError, HasNoCosineAndNoSqnrWithoutSignal)
{
    const SignalError error = errorOf({0, 0}, {1, 0});
    EXPECT_EQ(error.sqnrDb(), std::nullopt);
    EXPECT_EQ(error.cosine(), std::nullopt);
    EXPECT_EQ(error.finiteMaxAbs(), 1);
}

TEST(SignalError, LeavesOutWhatIsNotFiniteInBothAlike)
{
    const SignalError error = errorOf({kNan, -kInfinity, 3, 4}, {kNan, -kInfinity, 3.5, 4});
    EXPECT_DOUBLE_EQ(error.sqnrDb().value(), 20);
    EXPECT_EQ(error.nonFinite, 2);
    EXPECT_EQ(error.nonFiniteApart, 0);
    EXPECT_TRUE(errorOf({kNan, 1}, {kNan, 1}).identical);
}

TEST(SignalError, HasNoFiniteMeasureWhenOneSideIsNotFinite)
{
    for (const float other : {1.0F, kNan, -kInfinity}) {
        const SignalError error = errorOf({kInfinity, 4}, {other, 4});
        EXPECT_EQ(error.sqnrDb(), std::nullopt);
        EXPECT_EQ(error.cosine(), std::nullopt);
        EXPECT_EQ(error.finiteMaxAbs(), std::nullopt);
        EXPECT_FALSE(error.identical);
        EXPECT_EQ(error.nonFiniteApart, 1);
    }
}

TEST(SignalError, AddsUpOverSamples)
{
    SignalError total = errorOf({3, 4}, {3, 4});
    total.add(errorOf({5}, {5.5}));
    total.add(errorOf({0, 0}, {0, 0}));
    EXPECT_DOUBLE_EQ(total.sqnrDb().value(), 10 * std::log10(50 / 0.25));
    EXPECT_EQ(total.finiteMaxAbs(), 0.5);
    EXPECT_FALSE(total.identical);
}

TEST(SignalError, ComparesOtherTypesByTheirNumbers)
{
    const auto doubles = tensorOf<double>(ElementType::Float64, {3, 4});
    EXPECT_DOUBLE_EQ(errorOf(doubles, tensorOf<float>(ElementType::Float32, {3.5, 4})).sqnrDb().value(), 20);
    const auto halves = tensorOf<std::uint16_t>(ElementType::Float16, {0x4200, 0x4400}); // 3, 4
    EXPECT_TRUE(errorOf(doubles, halves).identical);
    const auto integers = tensorOf<std::int64_t>(ElementType::Int64, {3, 6});
    EXPECT_EQ(errorOf(doubles, integers).finiteMaxAbs(), 2);
    EXPECT_TRUE(errorOf(integers, integers).identical);
}

TEST(SignalError, ComparesTypesWithoutNumbersByBytes)
{
    const auto a = tensorOf<std::uint8_t>(ElementType::Float8E4M3FN, {1, 2});
    const auto b = tensorOf<std::uint8_t>(ElementType::Float8E4M3FN, {1, 3});
    EXPECT_TRUE(errorOf(a, a).identical);
    EXPECT_FALSE(errorOf(a, b).identical);
    EXPECT_EQ(errorOf(a, b).finiteMaxAbs(), std::nullopt);
    EXPECT_EQ(errorOf(a, b).sqnrDb(), std::nullopt);
}

} // namespace
} // namespace duo
