// SPDX-License-Identifier: Apache-2.0
// Output errors: how far the outputs of a written model are from the original's on some samples.
#pragma once

#include "core/pipeline/compression.h"

namespace duo {

/// Signal to quantization noise per output over at most 16 samples, in dB. @return EngineFailed, BadData, Cancelled
Result<std::vector<OutputError>> outputErrors(const Model& original, const std::filesystem::path& written,
    const Dataset& dataset, int threads, const JobContext& job);

} // namespace duo
