// SPDX-License-Identifier: Apache-2.0
// Pattern matching: induced sub-graphs of the inference graph that look like a pattern.
#pragma once

#include "core/quantize/operators/op_graph.h"
#include "core/quantize/operators/patterns.h"

namespace duo {

struct Match {
    std::size_t pattern = 0; // index into the patterns given
    std::vector<OpIndex> ops; // in topological order, without Outside and excluded nodes
};

/// Patterns in their order, operators in topological order; an operator belongs to at most one match, the first wins.
/// Strict: no operator inside may read from or be read from outside, except reads of first and readers of last ones.
/// O(patterns * operators) where operators have few readers.
std::vector<Match> findMatches(const OpGraph& graph, const std::vector<FusionPattern>& patterns, bool strict);

} // namespace duo
