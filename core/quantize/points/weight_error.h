// SPDX-License-Identifier: Apache-2.0
// WeightError: how far the codes of a weight are from it.
#pragma once

#include "core/quantize/points/weights.h"

namespace duo {

/// Sums over all elements.
struct WeightError {
    double signal = 0; // squares of the weight
    double noise = 0; // squares of what is lost
    bool operator==(const WeightError&) const = default;
};

/// With the codes of quantizedCodes. O(elements).
WeightError weightError(const Weight& weight, const QuantizationParameters& parameters);

/// The real values of the lowest and the highest code of one scale.
Range codeEnds(const QuantizationParameters& parameters, std::size_t channel = 0);

} // namespace duo
