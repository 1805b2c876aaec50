// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/kept_snapshot.h"

#include "core/pipeline/calibration/never_finite.h"
#include "core/quantize/points/compressed.h"

namespace duo {
Result<Snapshot> withKeptFloat(const Snapshot& snapshot, const KeptFloats& kept)
{
    DUO_CHECK(snapshot.checkPlaced());
    std::map<NodeId, std::string> reasons;
    for (const auto& [node, why] : kept)
        reasons.emplace(node, why.reason);
    DUO_TRY(next, withFloatNodes(snapshot, reasons));
    auto placement = std::make_shared<Placement>(*next.placement);
    const Decisions& before = snapshot.placement->decisions;
    for (std::uint32_t i = 0; i < before.size(); ++i) { // no rule of the user's is behind these
        if (isIgnored(next.placement->decisions[i].state) && !isIgnored(before[i].state))
            placement->decisions[i]
                = {NodeState::Preset, "it is computed together with a node that stays in float", ReasonKind::Group};
    }
    for (const auto& [node, why] : kept)
        placement->decisions[node.index] = {NodeState::Preset, why.reason, why.kind, why.counterfactual};
    next.placement = std::move(placement);
    return next;
}

KeptFloats keptBetween(const Snapshot& opened, const Snapshot& changed)
{
    KeptFloats kept;
    for (std::uint32_t i = 0; i < opened.placement->decisions.size(); ++i) {
        const Decision& after = changed.placement->decisions[i];
        const bool isNew
            = after.state == NodeState::Preset && opened.placement->decisions[i].state != NodeState::Preset;
        if (isNew && after.kind != ReasonKind::Group)
            kept.emplace(NodeId(i), KeptFloat{after.reason, after.counterfactual, after.kind});
    }
    return kept;
}

} // namespace duo
