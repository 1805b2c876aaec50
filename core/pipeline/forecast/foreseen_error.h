// SPDX-License-Identifier: Apache-2.0
// What the output error of an export would be: the model is run with every quantizer of the recipe simulated.
#pragma once

#include "core/calibrate/dataset.h"
#include "core/pipeline/forecast/foresight.h"

namespace duo {

/// The foresight with the error of every output, measured on the samples that a verdict would be (verdictSamples). What
/// an export changes besides (a plan made again for nodes that the engine would not fuse) is not in it. A foresight
/// with a problem, and one of a recipe that rescales the model, comes back as it is. The costs are a session and two
/// runs a sample.
/// @param opened whose recipe the foresight is of @return errors of compressionFrom and SwitchableModel; Cancelled
Result<std::shared_ptr<const Foresight>> withErrors(std::shared_ptr<const Foresight> foresight, const Snapshot& opened,
    const Dataset& dataset, int threads, const JobContext& job);

} // namespace duo
