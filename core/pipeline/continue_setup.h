// SPDX-License-Identifier: Apache-2.0
// continueSetup: from quantizers that were taken from a file, under other rules.
#pragma once

#include "core/pipeline/calibration/known_statistics.h"
#include "core/pipeline/resume.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace duo {

struct ContinuedSetup {
    Resumed resumed; // under the recipe wanted; found, recorded, notes and leftOut are those of what was taken
    std::size_t kept = 0; // quantizers that are as they were taken
    std::vector<std::string> made; // the others, by place
    std::vector<std::string> gone; // places where one was taken and none is now, by a rule or for want of a range
};

/// What the recipe leaves as it was keeps its quantizers, to the bit; what it changes is made anew (merged_setup.h):
/// weights from the weights, and data from `source`, which is asked for only then. The changes of the float model stay,
/// and so do corrected biases of the weights that do.
/// @param taken by resumeFrom or importSetup
/// @param wanted its snapshot under the recipe wanted, which simplifies the model in the same way
/// @return Usage for a recipe that simplifies otherwise; BadData where data are needed and none are given; errors of
/// withRecipe and calibrateFrom
Result<ContinuedSetup> continueSetup(
    const Resumed& taken, const Snapshot& wanted, const CalibrationSource& source, int threads, const JobContext& job);

/// A continued compression with more nodes in float: what that leaves as it was keeps its quantizers.
/// @param dataset null: none. @return nothing where ranges of data would be needed that nobody knows
Result<std::optional<Compression>> continuedWithout(const Snapshot& snapshot, const Compression& continued,
    const KeptFloats& out, const Dataset* dataset, int threads, const JobContext& job);

/// "50 quantizers stay as they were, 2 are made anew, 1 is gone"
std::string continuedText(const ContinuedSetup& continued);

} // namespace duo
