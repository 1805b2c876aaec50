// SPDX-License-Identifier: Apache-2.0
// Reads an ONNX file into a Model. Every file is hostile until parsed.
#pragma once

#include "core/model/model.h"
#include "core/support/job.h"
#include "core/transform/edit_list.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace duo {

struct ReadOptions {
    std::optional<std::filesystem::path> allowExternal
        = {}; // --allow-external DIR: external data may also lie below it
    /// --custom-ops LIB: libraries with operators of the model's own; the engine loads them, and no others, to run it.
    std::vector<std::filesystem::path> customOps = {};
};

/// Any IR and opset, functions, control-flow bodies, external data. Weights are not copied: inline payloads stay in the
/// mapped file. Time and memory are proportional to the structure, not to the weights.
/// @return FileNotReadable, MalformedModel or Unsupported, naming the tensor, node or path at fault
Result<std::shared_ptr<const Model>> readModel(
    const std::filesystem::path& path, const ReadOptions& options = {}, const JobContext& job = {});

/// The same from bytes in memory (without external data); `name` stands for the path in errors.
Result<std::shared_ptr<const Model>> readModelBytes(SharedBytes bytes, const std::string& name);

/// What an export of `original` with `edits` would hold, without a path. Payloads, external data and custom operators
/// are shared. O(structure).
/// @return Internal for an edit that does not fit
Result<std::shared_ptr<const Model>> editedModel(const Model& original, EditList edits);

/// The model that `edits` make of `original`: the same file in another form, with its path and size. Payloads are
/// shared. `notes` are put before those of reading it. O(structure).
/// @return Internal for an edit that does not fit; what readModel() returns; Cancelled
Result<std::shared_ptr<const Model>> convertedModel(const std::shared_ptr<const Model>& original, const EditList& edits,
    std::vector<Note> notes, const JobContext& job = {});

/// The model as its file has it, of a converted one; any other itself.
const Model& modelInFile(const Model& model);

} // namespace duo
