// SPDX-License-Identifier: Apache-2.0
// What an export would come to: it is made on trial, in a folder that is removed, and its outputs are compared.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/sensitivity/foresight.h"

namespace duo {

/// The foresight with the size of the file and the error of every output, measured on the samples that a verdict would
/// be (verdictSamples), and a note on nodes that the plan loses because the engine would not fuse them. Why they are
/// not known, where the trial fails. A foresight with a problem, and one of a recipe that rescales the model, comes
/// back as it is. The costs are those of an export and its verdict on the outputs.
/// @param opened whose recipe the foresight is of @return Cancelled and nothing else
Result<std::shared_ptr<const Foresight>> withErrors(std::shared_ptr<const Foresight> foresight, const Snapshot& opened,
    const Dataset& dataset, int threads, const JobContext& job);

} // namespace duo
