// SPDX-License-Identifier: Apache-2.0
// Writes a model by editing the original proto, so that everything not touched survives.
#pragma once

#include "core/model/model.h"
#include "core/support/job.h"
#include "core/transform/edit_list.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace duo {

struct WrittenFiles {
    std::vector<std::filesystem::path> files; // the model, then its external data if any
    std::int64_t bytes = 0; // all of them
};

/// @return NotWritable if `target` is the model's file or its external data
Status refuseOverInput(const Model& model, const std::filesystem::path& target);

/// Writes `model` with `edits` to `target`, atomically. Tensors that were external (and new ones, where the rest would
/// not fit into 2 GB) go to `<target>.data` beside it; where the original had none and all fits, none is written.
/// The same model and edits give the same bytes.
/// @return NotWritable, also if `target` is the input or its external data; FileNotReadable where a file that is mapped
/// was cut off or written to since; Internal for an edit that does not fit the model (names it)
Result<WrittenFiles> writeModel(
    const Model& model, const EditList& edits, const std::filesystem::path& target, const JobContext& job = {});

/// A model as the engine opens it.
struct EngineModel {
    std::vector<std::byte> proto; // payloads that are inline and not large are in it
    std::map<std::string, SharedBytes> weights; // large ones, where they lie, by the location the proto gives them
};

/// The edited model without copies of large weights; external data stay references relative to the folder of
/// `model.path`. @return Unsupported beyond 2 GB of all else
Result<EngineModel> engineModel(const Model& model, const EditList& edits);

} // namespace duo
