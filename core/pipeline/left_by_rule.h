// SPDX-License-Identifier: Apache-2.0
// Whether a node stays in float, and whether for a rule.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"

namespace duo {

/// It stays in float after all, and for no rule. @param snapshot placed
inline bool isKeptFloat(const Snapshot& snapshot, NodeId node)
{
    const auto& kept = snapshot.placement->kept;
    return kept && kept->contains(node);
}

/// It stays in float for a rule, its own or that of the node it is computed together with. @param snapshot placed
inline bool isLeftByRule(const Snapshot& snapshot, NodeId node)
{
    if (isKeptFloat(snapshot, node))
        return false;
    const Decision& decision = snapshot.placement->decisions[node.index];
    const ReasonKind kind = decision.kind();
    return kind == ReasonKind::Rule || kind == ReasonKind::NoTarget
        || (!snapshot.hits->isCompressible(node) && decision.state != NodeState::Fused);
}

} // namespace duo
