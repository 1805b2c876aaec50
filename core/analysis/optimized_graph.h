// SPDX-License-Identifier: Apache-2.0
// Optimized graph: what ONNX Runtime makes of a model before it runs it, as a model.
#pragma once

#include "core/model/model.h"
#include "core/support/job.h"
#include "core/support/result.h"

#include <filesystem>
#include <memory>

namespace duo {

/// The graph that the engine runs for a model, but for the layout of its tensors, which depends on the processor.
/// Every node has the name it has in `model`, as far as the engine keeps it.
/// @return EngineFailed, NotWritable, Unsupported (too large to edit), Cancelled
Result<std::shared_ptr<const Model>> optimizedModel(const Model& model, const JobContext& job);

/// The same for a file written from `original`, whose custom operators it may need.
Result<std::shared_ptr<const Model>> optimizedExport(
    const Model& original, const std::filesystem::path& written, const JobContext& job);

} // namespace duo
