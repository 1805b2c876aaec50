// SPDX-License-Identifier: Apache-2.0
// SizeLadder: sizes for the symbolic dimensions of a model's inputs, the likeliest first, to be tried on the engine.
#pragma once

#include "core/calibrate/samples/made_input.h"

namespace duo {

struct SizeLadder {
    std::vector<std::string> names; // of dimensions that somebody has to choose, in input order; a batch is none
    std::vector<Sizes> steps; // of all symbolic dimensions; at least one, few, none twice
};

/// By the names of dimensions and inputs, where in an input they stand, and what the operators behind need.
/// `given` sizes stay as they are. @param made as madeInputs
SizeLadder sizeLadder(
    const Model& model, const std::vector<ModelInput>& inputs, const std::vector<MadeInput>& made, const Sizes& given);

} // namespace duo
