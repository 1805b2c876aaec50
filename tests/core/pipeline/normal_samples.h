// SPDX-License-Identifier: Apache-2.0
// Normally distributed numbers for weights and samples of small models; the same for a seed on every machine of one
// standard library.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace duo::test {

inline std::vector<float> normal(std::size_t count, unsigned seed, float mean = 0, float deviation = 1)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> draw(mean, deviation);
    std::vector<float> values(count);
    for (float& value : values)
        value = draw(random);
    return values;
}

/// `count` samples of `size` values; the i-th has seed firstSeed + i.
inline std::vector<std::vector<float>> normalSamples(
    std::size_t count, std::size_t size, unsigned firstSeed, float mean = 0)
{
    std::vector<std::vector<float>> all;
    for (std::size_t i = 0; i < count; ++i)
        all.push_back(normal(size, firstSeed + static_cast<unsigned>(i), mean));
    return all;
}

} // namespace duo::test
