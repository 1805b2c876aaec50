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

/// Of the values that are added next: the largest bit pattern without sign (0: all are zeros), and the smallest one
/// that is not zero's. Infinity and NaN must not be among them.
struct MagnitudeSpan {
    std::int32_t most = 0;
    std::int32_t least = 0;
};

inline constexpr std::size_t kMostAtOnce = 2048; // values given to one call of the functions below

/// Whether double holds every sum of at most kMostAtOnce such values without rounding, whatever their order.
bool addUpExactly(MagnitudeSpan span);

/// Adds `count` values. @param squares also their squares
void addExactly(const float* values, std::size_t count, MagnitudeSpan span, bool squares, ExactMoments& into);

/// Adds a column of `rows` values to each of `columns`, at most sixteen, and all of them to `all`; rows are `stride`
/// values apart.
void addColumnsExactly(const float* values, std::size_t rows, std::size_t stride, MagnitudeSpan span,
    std::span<ExactMoments> columns, ExactMoments& all);

} // namespace duo
