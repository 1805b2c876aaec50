// SPDX-License-Identifier: Apache-2.0
#include "core/content/telling.h"

#include "core/content/float_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace duo {
namespace {

constexpr std::size_t kMostLooked = 256;
constexpr std::size_t kRuns = 8;
constexpr std::size_t kRun = 16; // elements; not more than kFewestTelling
constexpr std::ptrdiff_t kFewestDistinct = 8;

/// Most neighbours are the same step apart, up to rounding: constants, progressions and the grids made of them. Zeros
/// say nothing about it: weights may be pruned. Looks at a few runs all over the tensor.
bool isGrid(const Tensor& tensor)
{
    const auto count = static_cast<std::size_t>(tensor.elements());
    std::array<float, kRun> run{};
    std::size_t alike = 0;
    std::size_t all = 0;
    for (std::size_t r = 0; r < kRuns; ++r) {
        readFloats(tensor, (count - kRun) * r / (kRuns - 1), run);
        const float largest = std::abs(*std::ranges::max_element(run, {}, [](float value) { return std::abs(value); }));
        for (std::size_t i = 2; i < kRun; ++i) {
            if (run[i] == 0 && run[i - 1] == 0 && run[i - 2] == 0)
                continue;
            const float bend = (run[i] - run[i - 1]) - (run[i - 1] - run[i - 2]);
            ++all;
            alike += std::abs(bend) <= 1e-4F * largest ? 1 : 0;
        }
    }
    return 2 * alike > all;
}

/// Indices, counts, masks and one-hot rows that were made floats.
bool areWhole(std::span<const std::uint32_t> bits)
{
    return std::ranges::all_of(bits, [](std::uint32_t one) {
        const float value = std::bit_cast<float>(one);
        return std::abs(value) < 1e6F && std::trunc(value) == value;
    });
}

} // namespace

bool isTelling(const Tensor& tensor)
{
    const auto count = static_cast<std::size_t>(tensor.elements());
    if (!isFloating(tensor.type) || tensor.elements() < kFewestTelling || !hasAllBytes(tensor))
        return false;
    if (isGrid(tensor))
        return false;
    std::array<std::uint32_t, kMostLooked> looked{};
    const auto end = looked.begin() + static_cast<std::ptrdiff_t>(std::min(kMostLooked, count));
    std::uint64_t place = 0; // a low-discrepancy walk, so that no axis of the tensor is looked at in step
    for (auto it = looked.begin(); it != end; ++it) {
        const std::size_t index = count <= kMostLooked ? static_cast<std::size_t>(it - looked.begin())
                                                       : static_cast<std::size_t>((place >> 33U) % count);
        *it = std::bit_cast<std::uint32_t>(floatAt(tensor, index));
        place += 0x9E3779B97F4A7C15U;
    }
    if (areWhole({looked.begin(), end}))
        return false;
    std::sort(looked.begin(), end);
    return std::unique(looked.begin(), end) - looked.begin() >= kFewestDistinct;
}

bool hasAllBytes(const Tensor& tensor)
{
    const auto count = elementCount(tensor.dims);
    const auto needed = count ? packedBytes(tensor.type, *count) : std::nullopt;
    return needed && static_cast<std::size_t>(*needed) == tensor.bytes().size();
}

} // namespace duo
