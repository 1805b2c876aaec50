// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/kept_snapshot.h"

#include "core/pipeline/calibration/never_finite.h"
#include "core/quantize/points/compressed.h"

namespace duo {
Result<Snapshot> withKeptFloat(const Snapshot& snapshot, const KeptFloats& kept)
{
    DUO_CHECK(snapshot.checkPlaced());
    DUO_TRY(next, withFloatNodes(snapshot, kept));
    auto placement = std::make_shared<Placement>(*next.placement);
    const Decisions& before = snapshot.placement->decisions;
    for (std::uint32_t i = 0; i < before.size(); ++i) { // no rule of the user's is behind these
        if (isIgnored(next.placement->decisions[i].state) && !isIgnored(before[i].state))
            placement->decisions[i] = {NodeState::Preset, {ReasonCode::WithKept}};
    }
    next.placement = std::move(placement);
    return next;
}

KeptFloats keptBetween(const Snapshot& opened, const Snapshot& changed)
{
    KeptFloats kept;
    if (!changed.placement->kept)
        return kept;
    for (const auto& [node, why] : *changed.placement->kept) {
        if (opened.placement->decisions[node.index].state != NodeState::Preset)
            kept.emplace(node, why);
    }
    return kept;
}

} // namespace duo
