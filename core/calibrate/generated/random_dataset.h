// SPDX-License-Identifier: Apache-2.0
// Random feeds (random:N[:SEED]): good for speed and structure, worth nothing for accuracy.
#pragma once

#include "core/calibrate/dataset.h"

namespace duo {

/// Floats standard normal; integers uniform below the smallest Gather axis they reach, else {0, 1}; symbolic
/// dimensions: `options.dims`, else 1 for a batch (first axis of an input) and 8 elsewhere. A sample depends on seed,
/// index and input only. @return Usage for a malformed `arguments` ("N" or "N:SEED") or an unknown dimension name;
/// BadData for an input that cannot be filled
Result<std::shared_ptr<const Dataset>> randomDataset(
    const std::string& arguments, const Model& model, const DatasetOptions& options);

} // namespace duo
