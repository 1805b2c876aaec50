// SPDX-License-Identifier: Apache-2.0
// matchContent: finds the owners of a model's tensors among the keys of a checkpoint by comparing values.
#pragma once

#include "core/content/content_matches.h"
#include "core/support/job.h"

namespace duo {

/// Compares every tensor that a node reads with the checkpoint's, from cheap to dear. Values of a tensor are read a
/// bounded number of times; memory beyond the mapped files is a small multiple of the largest tensor; the result does
/// not depend on `threads`.
///
///     DUO_TRY(found, matchContent(model, checkpoint, job, threads, priors));
///     if (const ContentMatch* match = found.find(tensor, reader); match && match->certainty <= Certainty::Witnessed)
///         for (const std::uint32_t key : match->keys)
///             addOwner(reader, checkpoint.keys[key].name, Provenance::Content); // Guess: Provenance::Guess
///
/// @return Cancelled; nothing in either file is an error here
Result<ContentMatches> matchContent(const Model& model, const Checkpoint& checkpoint, const JobContext& job,
    int threads, const ContentPriors& priors = {});

} // namespace duo
