// SPDX-License-Identifier: Apache-2.0
#include "core/rules/carry_hits.h"

#include "core/support/sorted.h"
#include "core/transform/fused_names.h"

namespace duo {
namespace {

/// What became of the nodes of a model.
struct Fates {
    std::vector<NodeId> stayed; // [nodes] in the other model; invalid: it did not
    std::vector<std::vector<NodeId>> partOf; // [nodes] of the other model
    std::vector<std::vector<NodeId>> writtenAs; // [nodes] likewise: what it was written as, beside the one of its name
};

Fates fatesOf(const Model& original, const Model& model)
{
    const std::size_t count = original.nodes.size();
    Fates fates{
        std::vector<NodeId>(count), std::vector<std::vector<NodeId>>(count), std::vector<std::vector<NodeId>>(count)};
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        if (const NodeId own = nodeBefore(original, model.nodes[n]); own.valid())
            fates.stayed[own.index] = NodeId(n);
        const std::string_view whole = metadataValue(model.nodes[n].metadata, kWrittenOfKey);
        if (const NodeId of = whole.empty() ? NodeId() : original.findNode(whole); of.valid())
            fates.writtenAs[of.index].emplace_back(n);
        for (const std::string_view name : fusedNames(model.nodes[n])) {
            if (const NodeId part = original.findNode(name); part.valid())
                fates.partOf[part.index].emplace_back(n);
        }
    }
    return fates;
}

void carryInPlace(RuleHit& hit, const RuleHit& before, const Fates& fates)
{
    if (before.nodes.empty())
        return;
    hit.gone = 0;
    for (const NodeId node : before.nodes) {
        const auto& parts = fates.partOf[node.index];
        const auto& pieces = fates.writtenAs[node.index];
        hit.nodes.insert(hit.nodes.end(), pieces.begin(), pieces.end());
        if (fates.stayed[node.index].valid())
            hit.nodes.push_back(fates.stayed[node.index]);
        else if (parts.empty() || hit.rule.kind == RuleKind::Type)
            hit.gone += pieces.empty() ? 1 : 0;
        else
            hit.nodes.insert(hit.nodes.end(), parts.begin(), parts.end());
    }
    sortUniqueInPlace(hit.nodes);
    hit.problem.clear(); // of names that are not there any more
    hit.suggestions.clear();
}

} // namespace

RuleHits carriedHits(const Model& model, RuleHits here, const Model& original, const RuleHits& before)
{
    const Fates fates = fatesOf(original, model);
    for (std::size_t r = 0; r < here.hits.size() && r < before.hits.size(); ++r)
        carryInPlace(here.hits[r], before.hits[r], fates);
    return joinedHits(std::move(here.hits), model.nodes.size());
}

} // namespace duo
