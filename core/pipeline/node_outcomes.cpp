// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/node_outcomes.h"

#include "core/pipeline/calibration/kept_snapshot.h"
#include "core/quantize/notes.h"
#include "core/quantize/points/compressed.h"
#include "core/report/decision_sentences.h"
#include "core/state/model_hash.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace duo {
namespace {

/// Nodes stand in it in their order: it is of a model too.
std::string digestOf(const Model& model, const Decisions& decisions)
{
    std::string states;
    for (std::uint32_t i = 0; i < model.nodes.size(); ++i) {
        states += model.nodes[i].name;
        states += '\n';
        states += nodeStateText(decisions[i].state);
        states += '\n';
    }
    return textHash(states);
}

RecordedKept sentencesOn(const Snapshot& placed, NodeId node)
{
    const auto& [model, placement] = std::tie(*placed.model, *placed.placement);
    return {whyText(model, placement, node), wouldText(model, placement, node)};
}

/// What other nodes are placed around: of a group the node that decides.
KeptFloats keptOf(const Placement& planned, const std::map<NodeId, NodeOutcome>& others, const NodeOutcomes& outcomes)
{
    KeptFloats kept;
    for (const auto& [node, outcome] : others) {
        const Decision& decision = planned.decisions[node.index];
        if (isCompressed(decision.state) && !decision.fusedWith.valid() && !isCompressed(outcome.state))
            kept.emplace(node, outcomes.why[outcome.why]);
    }
    return kept;
}

auto keptRun(const NodeRun& run)
{
    return std::tie(run.node, run.runs, run.kernel, run.reason);
}

} // namespace

bool NodeOutcomes::operator==(const NodeOutcomes& other) const
{
    return plan == other.plan && why == other.why && others == other.others
        && std::ranges::equal(runs, other.runs, {}, keptRun, keptRun);
}

NodeOutcomes nodeOutcomes(const Snapshot& planned, const Snapshot& placed)
{
    NodeOutcomes outcomes;
    outcomes.plan = digestOf(*planned.model, planned.placement->decisions);
    std::map<std::pair<std::string, std::string>, std::uint32_t> known;
    const bool isSame = planned.model == placed.model;
    for (std::uint32_t i = 0; i < planned.model->nodes.size(); ++i) {
        const std::string& name = planned.model->nodes[i].name;
        const NodeId there = isSame ? NodeId(i) : placed.model->findNode(name);
        if (!there.valid())
            continue;
        const NodeState state = placed.placement->decisions[there.index].state;
        if (state == planned.placement->decisions[i].state)
            continue;
        RecordedKept why = sentencesOn(placed, there);
        const auto [at, isNew]
            = known.emplace(std::pair(why.reason, why.counterfactual), static_cast<std::uint32_t>(outcomes.why.size()));
        if (isNew)
            outcomes.why.push_back(std::move(why));
        outcomes.others.push_back({name, state, at->second});
    }
    return outcomes;
}

Result<std::shared_ptr<const Placement>> placementWith(
    const Snapshot& planned, const NodeOutcomes& outcomes, const JobContext& job)
{
    using Placed = std::shared_ptr<const Placement>;
    DUO_CHECK(planned.checkPlaced());
    const Model& model = *planned.model;
    const Decisions& before = planned.placement->decisions;
    if (digestOf(model, before) != outcomes.plan)
        return Placed();
    std::map<NodeId, NodeOutcome> others;
    for (const NodeOutcome& outcome : outcomes.others) {
        const NodeId node = model.findNode(outcome.node);
        if (!node.valid() || outcome.why >= outcomes.why.size())
            return Placed();
        others.emplace(node, outcome);
    }
    if (others.empty())
        return planned.placement;
    const KeptFloats kept = keptOf(*planned.placement, others, outcomes);
    DUO_TRY(made, kept.empty() ? planned : withKeptFloat(planned, kept));
    if (job.stopped())
        return cancelledError();
    auto placement = std::make_shared<Placement>(*made.placement);
    KeptFloats told = placement->kept ? *placement->kept : KeptFloats();
    for (std::uint32_t i = 0; i < before.size(); ++i) {
        const auto other = others.find(NodeId(i));
        const NodeState state = other == others.end() ? before[i].state : other->second.state;
        if (placement->decisions[i].state == state)
            continue;
        if (other == others.end()) {
            placement->decisions[i] = before[i];
            continue;
        }
        told.insert_or_assign(NodeId(i), outcomes.why[other->second.why]);
        placement->decisions[i] = {state, {ReasonCode::KeptAsRecorded}, WouldBe::KeptOtherwise};
    }
    placement->kept = std::make_shared<const KeptFloats>(std::move(told));
    renewNothingQuantized(model, *placement);
    return Placed(std::move(placement));
}

} // namespace duo
