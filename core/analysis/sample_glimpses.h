// SPDX-License-Identifier: Apache-2.0
// Glimpses: what is kept of an output in each sample, to see what sums over all samples hide.
#pragma once

#include "core/analysis/signal_error.h"

#include <optional>
#include <span>
#include <vector>

namespace duo {

/// Of one sample: two thousand elements at most, spread over the output, always the same ones for its size.
struct Glimpse {
    double signal = 0; // of all elements
    double noise = 0;
    std::int64_t elements = 0; // in the output
    std::vector<float> a;
    std::vector<float> b;
};

/// @param error of the same tensors
Glimpse glimpseOf(const TensorView& a, const TensorView& b, const SignalError& error);

/// Its share of the signal; infinite without one.
double noiseOf(const Glimpse& sample);

/// SQNR of the sample in the middle of all that have a signal: a single one that is much larger than the others decides
/// over sums. Nothing for fewer than three, or where it is not finite or without noise.
std::optional<double> medianDb(std::span<const Glimpse> samples);

/// What differs between samples: every element about its mean over them.
struct Variation {
    double db = 0; // its power over that of the noise; at 0 the mean alone would come as near
    double size = 0; // root of the mean square, in the output's unit
};

/// Nothing for fewer than four samples, for sizes that differ, where nothing differs to speak of, and without noise.
std::optional<Variation> variationOf(std::span<const Glimpse> samples);

} // namespace duo
