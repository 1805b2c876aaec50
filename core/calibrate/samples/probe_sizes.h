// SPDX-License-Identifier: Apache-2.0
// probeSizes: the first step of a ladder of sizes that the engine runs the model with.
#pragma once

#include "core/calibrate/samples/size_ladder.h"
#include "core/support/job.h"

namespace duo {

struct ProbedSizes {
    Sizes sizes;
    std::size_t refused = 0; // steps tried before
};

/// A model that the engine cannot even open gets the first step: whoever runs it says why.
/// @return EngineFailed where every step is refused: an input, its shape, what to pass; Cancelled
Result<ProbedSizes> probeSizes(const Model& model, const std::vector<MadeInput>& inputs, const SizeLadder& ladder,
    std::uint64_t seed, const JobContext& job);

/// "h=64, w=64" of the names chosen by the ladder; between them what `separator` says.
std::string sizesText(
    const SizeLadder& ladder, const Sizes& sizes, const std::string& before = "", const std::string& separator = ", ");

} // namespace duo
