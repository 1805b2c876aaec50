// SPDX-License-Identifier: Apache-2.0
// What a selection can become as one rule: a subgraph, or a pattern of names.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "views/rules/proposal.h"

#include <vector>

namespace duo::ui {

/// The ends of a selection: the nodes that no other one of it leads to, and those that lead to no other. O(V + E).
struct SubgraphEnds {
    std::vector<NodeId> inputs; // ascending
    std::vector<NodeId> outputs;
};
SubgraphEnds endsOf(const Model& model, const std::vector<NodeId>& selected);

/// One rule for the selection and everything between its ends.
Proposals proposeSubgraph(const Snapshot& snapshot, const RuleSet& rules, const std::vector<NodeId>& selected);

/// At most three patterns for the names of the selection, from exact to general, with what else they catch.
Proposals proposePatterns(const Snapshot& snapshot, const RuleSet& rules, const std::vector<NodeId>& selected);

/// For more nodes than rules by name are made of without asking: their operator where they have one, patterns of names,
/// or a rule for each of them.
Proposals proposeForMany(const Snapshot& snapshot, const RuleSet& rules, const std::vector<NodeId>& selected);

} // namespace duo::ui
