// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/kept_snapshot.h"

#include "core/quantize/notes.h"
#include "core/quantize/points/compressed.h"

namespace duo {
namespace {

/// What stays in float is still there, so that its other readers' quantizers are placed as if it were ignored.
Recipe withIgnored(Recipe recipe, const Model& model, const KeptFloats& kept)
{
    for (const auto& [node, reason] : kept) {
        Rule rule;
        rule.value = model.node(node).name;
        recipe.rules.rules.push_back(std::move(rule));
    }
    return recipe;
}

} // namespace

Result<Snapshot> withKeptFloat(const Snapshot& snapshot, const KeptFloats& kept)
{
    DUO_CHECK(snapshot.checkPlaced());
    DUO_TRY(next, withRecipe(snapshot, withIgnored(snapshot.recipe, *snapshot.model, kept)));
    DUO_CHECK(next.checkPlaced());
    auto placement = std::make_shared<Placement>(*next.placement);
    const Decisions& before = snapshot.placement->decisions;
    for (std::uint32_t i = 0; i < before.size(); ++i) { // no rule of the user's is behind these
        if (isIgnored(placement->decisions[i].state) && !isIgnored(before[i].state))
            placement->decisions[i] = {NodeState::Preset, {ReasonCode::WithKept}};
    }
    for (const auto& [node, reason] : kept)
        placement->decisions[node.index] = keptDecision(reason);
    placement->kept = std::make_shared<const KeptFloats>(kept);
    renewNothingQuantized(*next.model, *placement);
    next.placement = std::move(placement);
    next.recipe = snapshot.recipe;
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
