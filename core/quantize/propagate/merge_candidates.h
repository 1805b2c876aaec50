// SPDX-License-Identifier: Apache-2.0
// Merging of candidate lists where branches meet.
#pragma once

#include "core/quantize/propagate/candidates.h"

namespace duo {

/// NNCF's MERGE_ALL_IN_ONE: what all lists offer, sorted by the sum of its positions, then more bits, per tensor,
/// symmetric first. Empty: nothing in common, no merge.
Candidates commonCandidates(const std::vector<Candidates>& lists);

} // namespace duo
