// SPDX-License-Identifier: Apache-2.0
// The modules and parameters of a TorchScript archive (torch.jit.save).
#pragma once

#include "core/model/checkpoint_draft.h"
#include "core/support/job.h"
#include "core/support/stored_zip.h"

#include <memory>

namespace duo {

/// Reads the object tree (`data.pkl`); the code is not run. Class names lose "__torch__." and manglings.
/// @return as readCheckpoint
Status readTorchScript(const std::shared_ptr<const StoredZip>& zip, CheckpointDraft& draft, const JobContext& job);

} // namespace duo
