// SPDX-License-Identifier: Apache-2.0
// Where the error of a quantized model starts: the first values along the dataflow whose error jumps.
#pragma once

#include "core/analysis/compare.h"
#include "core/analysis/verdict.h"
#include "core/model/model.h"

namespace duo {

/// Of values of the main graph of `model` that were measured, in any order: at most three that are below what a good
/// output has and 6 dB worse than the worst they are computed from; where the error grows without a jump, the first
/// that is below. Values not measured pass on what they are computed from. O(nodes and values).
std::vector<ErrorStart> errorStarts(const Model& model, const std::vector<ValueDifference>& values);

} // namespace duo
