// SPDX-License-Identifier: Apache-2.0
// Resume: the same export again from a compression state, without data.
#pragma once

#include "core/pipeline/snapshot/compression.h"
#include "core/state/compression_state.h"

namespace duo {

struct Resumed {
    Snapshot snapshot; // the model under the recipe of the state
    Compression compression;
    bool identicalSetup = false; // every quantizer of the state is in place, on the model it was made for
    std::vector<FoundPoint> found; // where each quantizer stands now, and by what that is known
    std::size_t recorded = 0; // quantizers of the state, found or not
    std::vector<std::string> notes; // what differs or was left out, a sentence each
    std::vector<std::string> leftOut; // of them: what is not taken
    std::vector<std::string> remarks; // where quantizers are another tool's: what the recipe would make otherwise
};

/// The passes that simplified the model of a snapshot, as a state records them.
std::vector<PassRun> passRuns(const Snapshot& snapshot);

/// Applies a state to an opened model, whose nodes may have other names and whose weights may be others: then scales of
/// weights and corrected biases are made again (renewed_weights.h). @return BadState, also where none of the state's
/// nodes is here; with `strict` where anything differs or is left out
Result<Resumed> resumeFrom(
    const Snapshot& model, const std::filesystem::path& state, bool strict, const JobContext& job);

} // namespace duo
