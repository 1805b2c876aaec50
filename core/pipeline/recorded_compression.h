// SPDX-License-Identifier: Apache-2.0
// A compression as its state file records it.
#pragma once

#include "core/pipeline/snapshot/compression.h"
#include "core/state/compression_state.h"

namespace duo {

/// stateText() takes it with the model that the compression places. @param snapshot of the model as it was opened, but
/// for its transforms; @param hashes of its model
CompressionState stateOf(const Snapshot& snapshot, const Compression& compression, ModelHashes hashes);

/// The same as the text of a state file, with the hashes of the snapshot's model. @return Cancelled
Result<std::string> stateTextOf(const Snapshot& snapshot, const Compression& compression, const JobContext& job);

} // namespace duo
