// SPDX-License-Identifier: Apache-2.0
// Samples completed with what is made: inputs that the data do not hold, and states fed back from sample to sample.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/calibrate/samples/made_input.h"

namespace duo {

struct MadePart {
    std::vector<MadeInput> inputs; // all of the model, in its order
    Sizes sizes; // of symbolic dimensions, where no feed tells them
    std::int64_t samples = 0; // where nothing is given
    std::uint64_t seed = 0;
    std::string otherSizes = {}; // Dataset::sizeAdvice
    std::vector<Note> notes = {}; // before those of the given data
};

/// @param given feeds some of the inputs, or null; @param feedBack (output, input): from the second sample on the input
/// is what the model gave for the sample before, run with the engine
/// @return Usage for a name or a type that does not fit; EngineFailed where the model cannot be opened
Result<std::shared_ptr<const Dataset>> madeDataset(std::shared_ptr<const Dataset> given, MadePart made,
    const Model& model, const std::vector<std::pair<std::string, std::string>>& feedBack);

} // namespace duo
