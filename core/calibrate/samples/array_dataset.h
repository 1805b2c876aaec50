// SPDX-License-Identifier: Apache-2.0
// Datasets of NumPy arrays: one set of arrays, or many files that each hold a stack of samples.
#pragma once

#include "core/calibrate/samples/array_set.h"
#include "core/calibrate/samples/dataset.h"

namespace duo {

/// The samples of all sets, one set after the other. A single set is loaded at once; of several, the last few used are
/// held. @return the errors of ArraySet::bind and ArrayFile
Result<std::shared_ptr<const Dataset>> arrayDataset(
    std::vector<ArraySet> sets, const DatasetOptions& options, const JobContext& job);

} // namespace duo
