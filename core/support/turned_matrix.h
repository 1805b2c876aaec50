// SPDX-License-Identifier: Apache-2.0
// A matrix the other way round.
#pragma once

#include <cstddef>
#include <vector>

namespace duo {

/// [rows, columns] to [columns, rows], row-major both. @param columns a divisor of how many numbers there are, not 0
/// unless there are none. O(numbers)
template <typename T> std::vector<T> turnedMatrix(const std::vector<T>& numbers, std::size_t columns)
{
    std::vector<T> turned(numbers.size());
    const std::size_t rows = numbers.empty() ? 0 : numbers.size() / columns;
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column)
            turned[column * rows + row] = numbers[row * columns + column];
    }
    return turned;
}

} // namespace duo
