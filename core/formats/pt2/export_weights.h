// SPDX-License-Identifier: Apache-2.0
// ExportWeights: parameters, buffers and constants of an exported program, by key.
#pragma once

#include "core/formats/pt2/export_archive.h"
#include "core/model/checkpoint.h"
#include "core/support/job.h"

#include <memory>

namespace duo {

struct ExportWeights {
    std::shared_ptr<const Checkpoint> state; // the state_dict
    std::shared_ptr<const Checkpoint> constants; // buffers outside the state_dict, and constants
};

/// Raw payloads stay in the archive where they are dense there; keys of one payload with one form are one tensor.
/// Notes: "left-out-key" for tensors that are not read.
/// @return MalformedModel: a configuration that is no JSON, a payload that is absent or too short; the errors of
/// readTensorDict for the layouts that nest archives; Cancelled
Result<ExportWeights> readExportWeights(const ExportArchive& archive, const JobContext& job);

} // namespace duo
