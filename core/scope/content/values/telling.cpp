// SPDX-License-Identifier: Apache-2.0
#include "core/scope/content/values/telling.h"

#include "core/scope/content/values/float_values.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

namespace duo {
namespace {

constexpr std::size_t kMostLooked = 256;
constexpr std::size_t kRun = 64;
constexpr std::ptrdiff_t kFewestDistinct = 8;

/// Neighbours are the same step apart all along, up to rounding, and the step is not 0.
bool isProgression(std::span<const float> values)
{
    const float step = values[1] - values[0];
    float largest = 0;
    for (const float value : values)
        largest = std::max(largest, std::abs(value));
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (!(std::abs(values[i] - values[i - 1] - step) <= 1e-4F * largest))
            return false;
    }
    return step != 0;
}

} // namespace

bool isTelling(const Tensor& tensor)
{
    const auto count = static_cast<std::size_t>(tensor.elements());
    if (!isFloating(tensor.type) || tensor.elements() < kFewestTelling || !hasAllBytes(tensor))
        return false;
    std::array<float, kRun> run{};
    const std::span<float> head(run.data(), std::min(kRun, count));
    readFloats(tensor, 0, head);
    if (isProgression(head))
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
