// SPDX-License-Identifier: Apache-2.0
// Exports that compute in floats of 16 bits what their codes are not for, as far as values fit: one file for runtimes
// that compute in its types alone (resources/docs/transforms.md, "Floats of 16 bits").
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/half_model.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/transform/edit_list.h"

namespace duo {

/// The compression with the nodes that compute in 16 bits, where its export has such (isHalvedInExport): by what the
/// quantized model gives over the data, with notes of what they are and of what stays in 32 bits. A resumed one keeps
/// those that it had. Measures, like halvedModel(); returns its errors and those of exportedEdits().
/// @param dataset null: none are chosen; it keeps those that it had, or a note says that data are wanted
Result<Compression> withHalvedNodes(
    const Snapshot& snapshot, Compression compression, const Dataset* dataset, int threads, const JobContext& job);

/// What `edits` make of the model that a compression with nodes in 16 bits is of. O(structure + their constants)
Result<HalvedAgain> halvedExport(
    const Snapshot& exported, const EditList& edits, const HalvedNodes& halved, const JobContext& job);

} // namespace duo
