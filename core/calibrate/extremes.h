// SPDX-License-Identifier: Apache-2.0
// Extremes of a run of floats, with what is not finite counted apart.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace duo {

struct Extremes {
    float min = std::numeric_limits<float>::max(); // min > max: no finite element
    float max = std::numeric_limits<float>::lowest();
    std::int64_t nonFinite = 0; // NaN and Inf elements
    bool operator==(const Extremes&) const = default;
};

/// One pass. Negative zero counts as zero, so the result does not depend on the order of the elements.
Extremes extremesOf(std::span<const float> values);

} // namespace duo
