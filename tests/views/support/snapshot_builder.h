// SPDX-License-Identifier: Apache-2.0
// SnapshotBuilder: snapshots written down by hand, so that tests of views do not depend on how scopes are found.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"

#include <memory>
#include <string>
#include <vector>

namespace duo::test {

/// One node of a chain; it reads the parameters `keys`, which live in `storage`.
struct NodeLine {
    std::string name;
    std::string opType;
    std::string execution;
    std::vector<std::string> storage;
    std::vector<std::string> keys; // each a weight of [2, 2]
    NodeState state = NodeState::Quantized;
    std::vector<Reason> reasons = {}; // differs if not empty
};

/// A chain of nodes from input "x" to output "y", with scope trees in order of first mention.
std::shared_ptr<const Snapshot> makeSnapshot(const std::vector<NodeLine>& lines);

/// The same model with other rules; hits by name and execution scope only, ignored nodes become NodeState::Ignored.
std::shared_ptr<const Snapshot> withRules(const Snapshot& snapshot, const RuleSet& rules);

/// A small network: conv1 and a block that runs twice (blk, blk#1), its parameters in storage scope blk, a head that
/// is called by a module that does not contain it, and a head that never runs.
std::shared_ptr<const Snapshot> exampleSnapshot();

} // namespace duo::test
