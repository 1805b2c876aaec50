// SPDX-License-Identifier: Apache-2.0
// What an export makes of a model: the plan that is written, as edits of the snapshot it is a plan of.
#pragma once

#include "core/pipeline/snapshot/compression.h"
#include "core/quantize/edits/qdq_edits.h"
#include "core/support/job.h"

#include <cstdint>
#include <string>

namespace duo {

/// The snapshot whose model is edited: `snapshot`, or what corrections, data and engine made of it. It has a placement.
/// @return the snapshot's refusal
Result<const Snapshot*> exportedSnapshot(const Snapshot& snapshot, const Compression& compression);

/// Whether functions that the model came with are to be made again in what is written: the recipe wants no others.
bool wantsFunctionsAgain(const Snapshot& snapshot);
bool wantsFunctions(const Snapshot& snapshot); // these, or those of the recipe

/// The edits of that snapshot's model. @return the snapshot's refusal, errors of buildQdqEdits
Result<QdqEdits> exportedEdits(const Snapshot& snapshot, const Compression& compression);

/// Adds what the written file says of itself: its profile, its state, and the scopes that it would not show any more.
/// @param stateDigest textHash of the state beside it
void describeInPlace(QdqEdits& qdq, const Snapshot& exported, std::string stateDigest);

/// Of the file that an export of the plan would write, with its data, without functions: by writing one.
/// @return errors of exportedEdits and writeModel
Result<std::int64_t> plannedBytes(const Snapshot& snapshot, const Compression& compression, const JobContext& job);

} // namespace duo
