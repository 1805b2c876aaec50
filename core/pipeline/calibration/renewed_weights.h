// SPDX-License-Identifier: Apache-2.0
// What a compression state tells of weights, made again for a model with other ones.
#pragma once

#include "core/pipeline/snapshot/compression.h"

#include <string>
#include <vector>

namespace duo {

/// Scales of weights from the weights, corrected biases from the means of inputs that the state holds; what was
/// measured of activations stays, and with it what weights share with activations. @param placed what its setup is of
/// @return what was done, a sentence for each weight and bias; BadData for a weight that cannot be quantized; Cancelled
Result<std::vector<std::string>> renewWeightsInPlace(
    const Snapshot& placed, Compression& compression, int threads, const JobContext& job);

} // namespace duo
