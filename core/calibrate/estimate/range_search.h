// SPDX-License-Identifier: Apache-2.0
// The range that quantizes a histogram best, by squared error or by divergence.
#pragma once

#include "core/calibrate/measure/log_histogram.h"

#include <vector>

namespace duo {

/// A histogram as densities: pieces over which values count as evenly spread.
struct DensityPiece {
    double low = 0;
    double high = 0; // equal to low: all values are there
    double count = 0;
};

/// Pieces by rising value, kept inside [min, max], the exact extremes.
std::vector<DensityPiece> densityOf(const LogHistogram& histogram, float min, float max);

/// Codes of a quantizer: multiples of `step` from low to high.
struct CodeGrid {
    double low = 0;
    double high = 0;
    double step = 0;
};

/// The grid of a range: symmetric codes are -levels/2 to levels/2 - 1 times the step, others have zero on a code.
CodeGrid gridOf(double low, double high, int levels, bool isSymmetric);

/// Mean squared error of rounding to the grid and clipping to its ends.
double squaredError(const std::vector<DensityPiece>& pieces, const CodeGrid& grid);

/// Kullback-Leibler divergence of the clipped values from their quantized form; exact zeros do not count.
double divergence(const std::vector<DensityPiece>& pieces, const CodeGrid& grid);

struct SearchedRange {
    double low = 0;
    double high = 0;
};

using RangeError = double (*)(const std::vector<DensityPiece>&, const CodeGrid&);

/// The ends between zero and the extremes with the least error: both drawn in together, then one after the other until
/// neither moves, then in small steps.
SearchedRange searchRange(const std::vector<DensityPiece>& pieces, RangeError error, int levels, bool isSymmetric);

} // namespace duo
