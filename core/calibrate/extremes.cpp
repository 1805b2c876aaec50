// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/extremes.h"

#include <algorithm>
#include <array>
#include <bit>

namespace duo {
namespace {

constexpr std::uint32_t kExponent = 0x7F800000U; // all set: NaN or Inf

bool isFinite(float value)
{
    return (std::bit_cast<std::uint32_t>(value) & kExponent) != kExponent;
}

/// Independent lanes, so that the compiler keeps them in vector registers: comparisons of floats may not be reordered.
struct Lanes {
    static constexpr std::size_t kCount = 16;
    std::array<float, kCount> min;
    std::array<float, kCount> max;
    std::array<std::uint32_t, kCount> nonFinite{};

    Lanes()
    {
        min.fill(Extremes{}.min);
        max.fill(Extremes{}.max);
    }

    void add(const float* values)
    {
        for (std::size_t lane = 0; lane < kCount; ++lane) {
            const float value = values[lane];
            const bool good = isFinite(value);
            const float low = good ? value : min[lane];
            const float high = good ? value : max[lane];
            min[lane] = low < min[lane] ? low : min[lane];
            max[lane] = high > max[lane] ? high : max[lane];
            nonFinite[lane] += good ? 0U : 1U;
        }
    }

    void mergeInto(Extremes& all) const
    {
        for (std::size_t lane = 0; lane < kCount; ++lane) {
            all.min = std::min(all.min, min[lane]);
            all.max = std::max(all.max, max[lane]);
            all.nonFinite += nonFinite[lane];
        }
    }
};

} // namespace

Extremes extremesOf(std::span<const float> values)
{
    constexpr std::size_t kBlock = Lanes::kCount << 20U; // elements until a lane's counter is emptied
    Extremes all;
    while (values.size() >= Lanes::kCount) {
        const std::size_t block = std::min(values.size(), kBlock) / Lanes::kCount * Lanes::kCount;
        Lanes lanes;
        for (std::size_t i = 0; i < block; i += Lanes::kCount)
            lanes.add(values.data() + i);
        lanes.mergeInto(all);
        values = values.subspan(block);
    }
    for (const float value : values) {
        if (!isFinite(value)) {
            ++all.nonFinite;
            continue;
        }
        all.min = std::min(all.min, value);
        all.max = std::max(all.max, value);
    }
    all.min += 0.0F; // -0 + 0 is 0
    all.max += 0.0F;
    return all;
}

} // namespace duo
