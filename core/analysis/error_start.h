// SPDX-License-Identifier: Apache-2.0
// Where the error of a quantized model starts: the first values along the dataflow whose error jumps, and what made it.
#pragma once

#include "core/analysis/compare.h"
#include "core/analysis/own_error.h"
#include "core/analysis/verdict.h"
#include "core/model/model.h"

#include <functional>

namespace duo {

/// Decibels that stand for a value that is not finite.
inline constexpr double kNotFiniteDb = -300;

/// Tells nodes that make an error from those that only make more of one (Log, Div, a difference of large numbers):
/// measureOwnErrors for the models that `values` are of. Nodes of which nothing is known are left out.
using MeasureOwnErrors = std::function<std::vector<OwnError>(const std::vector<NodeId>&)>;

/// Of values of the main graph of `model` that were measured, in any order: at most three that are below what a good
/// output has and 6 dB worse than the worst they are computed from; where the error grows without a jump, the first
/// that is below. Where at least a quarter of the noise is not the node's own, it is followed against the dataflow
/// through what carries it, to the value where most of it is made. Values not measured, and whole numbers that
/// differ, pass on what they are computed from. O(nodes and values), and one call of `measure` with at most 32 nodes.
std::vector<ErrorStart> errorStarts(
    const Model& model, const std::vector<ValueDifference>& values, const MeasureOwnErrors& measure);

} // namespace duo
