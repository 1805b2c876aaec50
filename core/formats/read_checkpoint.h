// SPDX-License-Identifier: Apache-2.0
// Reading a checkpoint of any known format.
#pragma once

#include "core/model/checkpoint.h"
#include "core/support/job.h"

#include <filesystem>
#include <memory>

namespace duo {

struct OpenedFile;

/// Decides by content: safetensors, the index of a sharded checkpoint (its files are read as siblings), torch.save
/// archives (state dicts and whole modules), TorchScript archives, .pt2 archives of torch.export.save old and new.
/// Nothing of the file is executed. Tensors are views into the mapped file, except packed or strided ones.
/// Notes: "left-out-key" (a tensor of a kind that is not read), "chosen-entry" (which dict of a training checkpoint),
/// "modules-not-read", "left-out-model".
/// @return FileNotReadable; MalformedModel or BadData naming the place for a damaged file; Unsupported for what is no
/// checkpoint, big-endian, or written by PyTorch before 1.6; NotWritable if a temporary file is needed and cannot be
/// written; Cancelled
Result<std::shared_ptr<const Checkpoint>> readCheckpoint(const std::filesystem::path& path, const JobContext& job = {});
/// The same of a file that is open.
Result<std::shared_ptr<const Checkpoint>> readCheckpoint(const OpenedFile& opened, const JobContext& job);

/// Unsupported: what can be given instead.
Error noCheckpoint(const std::filesystem::path& path);

} // namespace duo
