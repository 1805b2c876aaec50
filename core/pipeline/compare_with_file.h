// SPDX-License-Identifier: Apache-2.0
// compareWithFile: the setup of the open model beside that of a file.
#pragma once

#include "core/pipeline/snapshot/compression.h"
#include "core/state/setup_difference.h"
#include "core/support/job.h"

#include <filesystem>

namespace duo {

/// With a state what was made of the model, or else its recipe; with a recipe the recipe; with a quantized model what
/// was made of the model, the file's quantizers put onto it, or, where it is quantized itself, both by their tensors.
/// @param compression made of the snapshot as it is; null: nothing was @return errors of readSetup() and importSetup()
Result<SetupDifference> compareWithFile(const Snapshot& snapshot, const Compression* compression,
    const std::filesystem::path& file, int threads, const JobContext& job = {});

} // namespace duo
