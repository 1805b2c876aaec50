// SPDX-License-Identifier: Apache-2.0
// The index of a checkpoint in several files ("model.safetensors.index.json").
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/checkpoint_draft.h"
#include "core/support/job.h"

#include <functional>
#include <memory>

namespace duo {

/// Reads one file that is no index.
using ShardReader = std::function<Result<std::shared_ptr<const Checkpoint>>(const std::filesystem::path&)>;

/// Adds the keys of `weight_map` in its order. Shards are siblings of the index, each read once; what they hold beside
/// is left out.
/// @return MalformedModel for a damaged index, a file name that is no plain sibling, or a shard without a key it should
/// hold; FileNotReadable naming a missing shard; errors of `read`
Status readShardIndex(
    const std::filesystem::path& path, CheckpointDraft& draft, const ShardReader& read, const JobContext& job);

} // namespace duo
