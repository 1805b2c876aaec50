// SPDX-License-Identifier: Apache-2.0
// NNCF's HISTOGRAM aggregator: both ends of the range move inwards while the squared error falls.
#pragma once

#include "core/calibrate/measure/statistics.h"

#include <cstddef>
#include <vector>

namespace duo {

struct DensityPiece;

/// Counts of `count` equal bins from `min` on, filled with pieces of even density.
std::vector<double> linearBins(const std::vector<DensityPiece>& pieces, double min, double width, std::size_t count);

struct ShrunkRange {
    float low = 0;
    float high = 0;
};

/// The search of NNCF and of PyTorch's HistogramObserver over 2048 equal bins (steps of 1e-5 of all values from the end
/// with more empty room, until the error rises). The bins are filled from the recorded histogram, not from the data, so
/// results are near NNCF's but not the same. O(2048) per step that moves a bin.
ShrunkRange shrunkRange(const ValueStatistics& statistics, int levels);

} // namespace duo
