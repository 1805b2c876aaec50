// SPDX-License-Identifier: Apache-2.0
// Random feeds (random:N[:SEED]), good for speed and structure, worth nothing for accuracy; and data completed.
#pragma once

#include "core/calibrate/samples/dataset.h"

namespace duo {

/// Floats standard normal; integers uniform below the smallest Gather axis they reach, else {0, 1}; states, masks,
/// positions, lengths as madeInputs has them; symbolic dimensions: `options.dims`, else 1 for a batch, and for others
/// the first sizes of a short ladder that the engine takes. A sample depends on seed, index and input only, and on the
/// samples before where states are fed back. @return Usage for a malformed `arguments` ("N" or "N:SEED") or an unknown
/// dimension name; BadData for an input that cannot be filled; EngineFailed as probeSizes; Cancelled
Result<std::shared_ptr<const Dataset>> randomDataset(
    const std::string& arguments, const Model& model, const DatasetOptions& options, const JobContext& job);

/// Dimensions whose sizes are asked for where the engine refuses all that randomDataset tries: symbolic, neither a
/// batch nor given by `options`, in input order.
std::vector<std::string> sizesToChoose(const Model& model, const DatasetOptions& options);

/// `given` completed: inputs it does not feed, and states fed back. @return as madeDataset
Result<std::shared_ptr<const Dataset>> completedDataset(std::shared_ptr<const Dataset> given,
    const std::vector<std::string>& missing, const Model& model, const DatasetOptions& options);

/// Names of inputs that data need not hold: it is plain what they are fed with.
std::vector<std::string> plainInputs(const Model& model);

} // namespace duo
