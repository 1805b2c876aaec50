// SPDX-License-Identifier: Apache-2.0
// Fixed filters: weights that no training gave, told by their content: sinusoids under a window (a Fourier or
// constant-Q transform) and banks of bands (mel).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace duo {

/// Filters as rows of one matrix, or as columns.
struct FilterBank {
    std::vector<float> values;
    std::size_t filters = 0;
    std::size_t length = 0; // of each
    bool isByColumn = false; // element i of filter f is values[i * filters + f], else values[f * length + i]
};

/// The shortest filter whose spectrum tells anything.
inline constexpr std::size_t kLeastFilterLength = 64;

/// Nine of ten filters (of 256 looked at, zeros aside) have four fifths of their energy in the main lobe around one
/// frequency, under the window they have, and the frequencies differ: each is taken by at most a few. At least eight
/// filters. Learned filters of that length spread theirs; transforms that were trained on keep at least .84. Of shorter
/// ones, from 8 elements on, each is a sinusoid to rounding, under no window. O(256 length log length).
bool isSinusoidBank(const FilterBank& bank);

/// Nothing below zero, most of it zero, and each filter one band: its elements above zero stand together, and not all
/// bands are the same. At least eight filters. O(elements).
bool isBandBank(const FilterBank& bank);

} // namespace duo
