// SPDX-License-Identifier: Apache-2.0
// Modules of a model that was just written become functions.
#pragma once

#include "core/outline/outline_request.h"
#include "core/report/export_report.h"
#include "core/support/job.h"

#include <filesystem>

namespace duo {

/// Writes the model file anew, with functions (resources/docs/functions.md). Where none can be made, or ONNX Runtime
/// does not open what came of it, the file stays as it is, and the check fails.
/// @param original the model that the file was made from
/// @return the check "functions": how many were made, and in `nodes` the module calls that were refused; NotWritable,
/// Cancelled
Result<Check> makeFunctions(const Model& original, const std::filesystem::path& file, const OutlineRequest& request,
    const JobContext& job = {});

} // namespace duo
