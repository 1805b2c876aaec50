// SPDX-License-Identifier: Apache-2.0
// Every version of the inner loops, forced one after the other, finds the same.
#include "core/calibrate/measure/lane_vectors.h"
#include "core/calibrate/measure/tensor_measure.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

namespace duo {
namespace {

using lanes::CpuVersion;

/// Values as tensors have them, and as they hardly ever are.
struct ValuesCase {
    std::string name;
    std::function<float(std::mt19937&)> value;
};

float unit(std::mt19937& random)
{
    return static_cast<float>(random() % 2000001) / 1000000.0F - 1;
}

/// Every exponent but that of infinity and NaN, denormal numbers and both zeros among them.
float anyFinite(std::mt19937& random)
{
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    return std::isfinite(value) ? value : 0;
}

std::vector<ValuesCase> valuesCases()
{
    return {{"near", unit},
        {"far", [](std::mt19937& random) { return unit(random) * std::ldexp(1.0F, -40 * (random() % 2 == 0)); }},
        {"any finite", anyFinite},
        {"zeros of both signs", [](std::mt19937& random) { return std::copysign(0.0F, unit(random)); }},
        {"some not finite", [](std::mt19937& random) {
             return random() % 97 == 0 ? std::bit_cast<float>(static_cast<std::uint32_t>(random())) : unit(random);
         }}};
}

struct ShapeCase {
    std::vector<std::int64_t> dims;
    std::optional<std::int64_t> channelAxis;
};

/// Widths around those of the vectors, planes, rows and columns.
std::vector<ShapeCase> shapeCases()
{
    std::vector<ShapeCase> cases{
        {{2, 5, 67}, 1}, {{130, 33}, 1}, {{3, 16, 16}, 0}, {{64, 40}, 0}, {{20000}, std::nullopt}};
    for (std::int64_t size = 0; size <= 70; ++size)
        cases.push_back({{size}, std::nullopt});
    return cases;
}

void expectSame(const TensorMeasure& found, const TensorMeasure& wanted)
{
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    EXPECT_EQ(found.nan, wanted.nan);
    EXPECT_EQ(found.infinite, wanted.infinite);
    EXPECT_EQ(bits(found.min), bits(wanted.min));
    EXPECT_EQ(bits(found.max), bits(wanted.max));
    EXPECT_EQ(bits(found.low), bits(wanted.low));
    EXPECT_EQ(bits(found.high), bits(wanted.high));
    EXPECT_EQ(bits(found.magnitude), bits(wanted.magnitude));
    EXPECT_EQ(found.moments, wanted.moments);
    EXPECT_EQ(found.bins.bins(), wanted.bins.bins());
    EXPECT_TRUE(std::ranges::equal(found.channels.min, wanted.channels.min));
    EXPECT_TRUE(std::ranges::equal(found.channels.max, wanted.channels.max));
    EXPECT_TRUE(std::ranges::equal(found.channels.sum, wanted.channels.sum));
    EXPECT_TRUE(std::ranges::equal(found.channels.squares, wanted.channels.squares));
    EXPECT_TRUE(std::ranges::equal(found.channels.counts, wanted.channels.counts));
}

const TensorMeasure& measureWith(
    CpuVersion version, TensorMeter& meter, const std::vector<float>& tensor, const ShapeCase& shape)
{
    const lanes::AtMost forced(version);
    return meter.measure(tensor, shape.dims, shape.channelAxis);
}

TEST(LaneVersions, FindTheSameInAnyTensor)
{
    std::mt19937 random(7);
    for (const ValuesCase& values : valuesCases()) {
        for (const ShapeCase& shape : shapeCases()) {
            std::size_t count = 1;
            for (const std::int64_t dim : shape.dims)
                count *= static_cast<std::size_t>(dim);
            std::vector<float> tensor(count);
            for (float& value : tensor)
                value = values.value(random);
            SCOPED_TRACE(values.name + ", " + std::to_string(count) + " values");
            TensorMeter narrow;
            const TensorMeasure& wanted = measureWith(CpuVersion::Any, narrow, tensor, shape);
            for (const CpuVersion version : {CpuVersion::Avx2, CpuVersion::Avx512}) {
                SCOPED_TRACE(static_cast<int>(version));
                TensorMeter wide; // the next narrower one on a machine without
                expectSame(measureWith(version, wide, tensor, shape), wanted);
            }
        }
    }
}

TEST(LaneVersions, AreForcedOneAfterTheOther)
{
    const CpuVersion best = lanes::cpuVersion();
    {
        const lanes::AtMost narrow(CpuVersion::Avx2);
        EXPECT_EQ(lanes::cpuVersion(), std::min(best, CpuVersion::Avx2));
        const lanes::AtMost narrower(CpuVersion::Any);
        EXPECT_EQ(lanes::cpuVersion(), CpuVersion::Any);
        const lanes::AtMost wider(CpuVersion::Avx512);
        EXPECT_EQ(lanes::cpuVersion(), CpuVersion::Any);
    }
    EXPECT_EQ(lanes::cpuVersion(), best);
}

} // namespace
} // namespace duo
