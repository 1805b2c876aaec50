// SPDX-License-Identifier: Apache-2.0
// The checkpoint in a torch.save archive: a state dict, a training checkpoint that holds one, or a whole module.
#pragma once

#include "core/model/checkpoint_draft.h"
#include "core/support/job.h"
#include "core/support/stored_zip.h"

#include <memory>

namespace duo {

/// @return as readCheckpoint
Status readTorchSave(const std::shared_ptr<const StoredZip>& zip, CheckpointDraft& draft, const JobContext& job);

/// The tensors of a pickled dict in torch.save bytes that are part of another archive; there may be none.
/// @param where names the part in errors. @return as readCheckpoint
Result<std::shared_ptr<const Checkpoint>> readTensorDict(
    SharedBytes bytes, const std::string& where, const JobContext& job);

} // namespace duo
