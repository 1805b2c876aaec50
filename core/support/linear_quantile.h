// SPDX-License-Identifier: Apache-2.0
// Quantiles of lists of numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace duo {

/// Linear between neighbours, numpy's default. @param sorted not empty, ascending; @param q in 0..1
template <typename T> double linearQuantile(const std::vector<T>& sorted, double q)
{
    const double position = q * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(position);
    const double a = sorted[low];
    const double b = sorted[std::min(low + 1, sorted.size() - 1)];
    return a + (b - a) * (position - static_cast<double>(low));
}

/// The upper one of two in the middle. @param values not empty
inline double upperMedian(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

} // namespace duo
