// SPDX-License-Identifier: Apache-2.0
// A model written with marks in its metadata, and nothing else changed.
#pragma once

#include "core/marks/annotate.h"
#include "core/onnx/writer.h"
#include "core/pipeline/snapshot/snapshot.h"

#include <filesystem>
#include <vector>

namespace duo {

/// Writes the model as its file has it, whatever it was converted to when it was opened.
/// @param marked of these marks on `modules`, which are of the snapshot
/// @return NotWritable, also if `target` is the input; Unsupported for what is no ONNX model
Result<WrittenFiles> writeMarked(const Snapshot& snapshot, const ModuleTree& modules, const std::vector<Mark>& marks,
    const Marked& marked, const std::filesystem::path& target, const JobContext& job = {});

} // namespace duo
