// SPDX-License-Identifier: Apache-2.0
// Module calls of a model file become functions: scopes, plan and model, in one go.
#pragma once

#include "core/outline/plan_outline.h"
#include "core/pipeline/snapshot/snapshot.h"

#include <filesystem>
#include <memory>

namespace duo {

struct OutlinedFile {
    std::shared_ptr<const Model> original; // as its file has it: an old opset is not raised
    std::shared_ptr<const Model> model; // with the functions; the original for a dry run
    OutlinePlan plan;
};

/// @param isDryRun plan only
/// @return what readModelFile(), planOutline() and outlinedModel() return; Unsupported for a model that is no ONNX file
/// or lacks its external data
Result<OutlinedFile> outlineFile(const std::filesystem::path& path, const OpenOptions& options,
    const OutlineRequest& request, bool isDryRun, const JobContext& job = {});

/// The functions that a model came with, made again of the file of an export, which has none of them: with the names,
/// and the order of inputs and outputs, that they had. Calls whose bodies are not alike any more have several
/// functions.
/// @param opened what the export was made of
/// @return as outlineFile(); the model of the file where none can be made
Result<OutlinedFile> withFunctionsAgain(
    const std::filesystem::path& path, const OpenedModel& opened, const JobContext& job = {});

} // namespace duo
