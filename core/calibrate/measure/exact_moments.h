// SPDX-License-Identifier: Apache-2.0
// ExactMoments: sum and sum of squares of float32 values without any rounding, at the speed of plain addition.
#pragma once

#include "core/calibrate/measure/exact_sum.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace duo {

struct ExactMoments {
    ExactSum sum;
    ExactSum squares;

    void add(const ExactMoments& other)
    {
        sum.add(other.sum);
        squares.add(other.squares);
    }
    bool operator==(const ExactMoments&) const = default;
};

/// Of the values that are added next: the largest bit pattern without sign, shifted left by one, and the smallest one
/// that is not zero's (0: all are zeros). Infinity and NaN must not be among them.
struct MagnitudeSpan {
    std::uint32_t most = 0;
    std::uint32_t least = 0;
};

inline constexpr std::size_t kMostAtOnce = 2048; // values in one sum of the two functions below

/// Adds `count` values, at most kMostAtOnce. @param squares also their squares
void addExactly(const float* values, std::size_t count, MagnitudeSpan span, bool squares, ExactMoments& into);

/// Adds a column of `rows` values, at most kMostAtOnce, to each of `into`, at most sixteen; rows are `stride` values
/// apart.
void addColumnsExactly(const float* values, std::size_t rows, std::size_t stride, MagnitudeSpan span, bool squares,
    std::span<ExactMoments> into);

} // namespace duo
