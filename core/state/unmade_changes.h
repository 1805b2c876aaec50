// SPDX-License-Identifier: Apache-2.0
// Unmade changes: what a state says of a float model that was changed, where the model it is resumed on is not changed
// alike.
#pragma once

#include "core/state/recorded_state.h"

#include <string>
#include <vector>

namespace duo {

/// The graph before its changes: without the Mul nodes of those that are folded into nothing, whose readers read what
/// these read. The nodes keep their places in the list; of a Mul that is gone the operator is "", which no node has.
GraphRecord beforeChanges(GraphRecord graph, const std::vector<FloatChange>& changes);

/// [changes] name of the Mul that each put before its nodes; "" where it is folded, or nothing is recorded.
std::vector<std::string> mulsOf(const GraphRecord& graph, const std::vector<FloatChange>& changes);

/// The state without what was measured of values that changes scaled which cannot be made: quantizers there, and means
/// and corrected biases of what reads them. A sentence each in `leftOut`.
RecordedState withoutScaled(
    RecordedState state, const std::vector<FloatChange>& unmade, std::vector<std::string>& leftOut);

} // namespace duo
