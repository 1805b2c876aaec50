// SPDX-License-Identifier: Apache-2.0
// The passes and corrections that an export goes through, with their versions.
#pragma once

#include "core/pipeline/snapshot/compression.h"
#include "core/state/recorded_state.h"

#include <string>
#include <vector>

namespace duo {

/// Passes of the stages Open and Write, then the corrections that were made.
std::vector<AppliedStep> appliedSteps(const Compression& compression);

/// A sentence for each step that this program has in another version, or not at all, and for each correction that is
/// among the steps of a state or among what it holds, and not among both; of a state of version 1, which has no steps,
/// none of these.
std::vector<std::string> stepNotes(const RecordedState& recorded);

} // namespace duo
