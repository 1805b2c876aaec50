// SPDX-License-Identifier: Apache-2.0
// The functions of an export, and the check that says what is called in it, and how its calls differ.
#pragma once

#include "core/pipeline/outline_model.h"
#include "core/report/export_report.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace duo {

/// Writes the model file of an export anew, with functions (resources/docs/functions.md): those of the recipe, else
/// those that the model came with. Where none can be made, or ONNX Runtime does not open what came of it, the file
/// stays as it is.
/// @param bytes told where the file was written anew
/// @return the check "functions": how many were made, and in `nodes` the calls that were refused; nothing where none
/// are wanted; NotWritable, Cancelled
Result<std::optional<Check>> makeFunctions(
    const Snapshot& snapshot, const std::filesystem::path& file, std::int64_t& bytes, const JobContext& job);

/// How many were made, which are further ones of a class because their calls are not alike, whose calls have scales of
/// their own, and what was refused; `nodes` are the calls that were refused. Fails where none were made.
Check functionsCheck(const OutlinedFile& outlined);

/// The same of functions that the model came with, as far as they are there again: that not all are is no fault of the
/// export.
Check functionsAgainCheck(const OutlinedFile& outlined);

} // namespace duo
