// SPDX-License-Identifier: Apache-2.0
// Reads an ONNX file into a Model. Every file is hostile until parsed.
#pragma once

#include "core/model/model.h"
#include "core/support/job.h"

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

/// What modelBytes() made of `original`, whose external data and custom operators it shares.
Result<std::shared_ptr<const Model>> readEdited(SharedBytes bytes, const Model& original);

} // namespace duo
