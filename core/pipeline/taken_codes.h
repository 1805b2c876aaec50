// SPDX-License-Identifier: Apache-2.0
// Codes that a quantized file has for its weights, beside those that the weights of the float model get by the same
// scales.
#pragma once

#include "core/interchange/found_quantizers.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/support/job.h"

#include <string>
#include <vector>

namespace duo {

/// Says of which weights more than a hundredth of the codes are others: those of a tool that rounds otherwise than to
/// the nearest (GPTQ, AdaRound), which are made anew here, or of other weights. Blocks of a square matrix that fit only
/// the other way round are turned.
/// @param file that was quantized, and @param found in it; @param compression taken from it, for `model`
/// @return a sentence each; the errors of readWeight, Cancelled. O(elements of weights)
Result<std::vector<std::string>> otherCodesInPlace(const Model& file, const FoundQuantizers& found, const Model& model,
    Compression& compression, int threads, const JobContext& job);

} // namespace duo
