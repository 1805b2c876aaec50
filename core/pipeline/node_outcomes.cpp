// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/node_outcomes.h"

#include "core/pipeline/calibration/kept_snapshot.h"
#include "core/quantize/notes.h"
#include "core/quantize/points/compressed.h"
#include "core/report/decision_sentences.h"
#include "core/state/model_hash.h"
#include "core/support/phrases.h"

#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace duo {
namespace {

/// Nodes stand in it in their order: it is of a model too.
std::string digestOf(const Model& model, const Decisions& decisions)
{
    return nodesHash(model, [&](std::uint32_t node) { return nodeStateText(decisions[node].state); });
}

/// A sentence about nodes of `m_placed` in words, and in nodes of the plan.
class WordsFinder
{
public:
    WordsFinder(const Snapshot& planned, const Snapshot& placed)
        : m_planned(*planned.model)
        , m_placed(placed)
        , m_isSame(planned.model == placed.model)
    {
    }

    /// What became of the node, but for its state. @return its reason and counterfactual; those named go to `named`
    OutcomeWords of(NodeId node, std::vector<std::uint32_t>& named) const
    {
        const auto& [model, placement] = std::tie(*m_placed.model, *m_placed.placement);
        return {words(whySentence(model, placement, node), named), words(wouldSentence(model, placement, node), named)};
    }

private:
    [[nodiscard]] std::vector<std::string> words(const Sentence& sentence, std::vector<std::uint32_t>& named) const
    {
        std::vector<std::string> words;
        for (const SentencePart& part : sentence) {
            if (words.empty())
                words.emplace_back();
            NodeId node = part.node;
            if (node.valid() && !m_isSame)
                node = m_planned.findNode(part.text);
            if (node.valid()) {
                named.push_back(node.index);
                words.emplace_back();
            } else {
                words.back() += part.isName() ? inQuotes(part.text) : part.text;
            }
        }
        return words;
    }

    const Model& m_planned;
    const Snapshot& m_placed;
    bool m_isSame;
};

/// At the end of `spans`, or as one with the last of them. @param node behind all of them
void addNode(std::vector<NodeSpan>& spans, std::uint32_t node)
{
    if (!spans.empty() && spans.back().last + 1 == node)
        spans.back().last = node;
    else
        spans.push_back({node, node});
}

/// The same of a node that stands behind the last one.
void addOther(std::vector<NodeOutcome>& others, NodeOutcome other)
{
    if (!others.empty()) {
        NodeOutcome& last = others.back();
        const bool isSame = last.state == other.state && last.why == other.why && last.named == other.named;
        if (isSame && last.nodes.last + 1 == other.nodes.first) {
            last.nodes.last = other.nodes.last;
            return;
        }
    }
    others.push_back(std::move(other));
}

std::vector<NodesRunning> runningIn(const Model& planned, const NodeRuns& runs)
{
    std::map<std::uint32_t, const NodeRun*> byNode;
    for (const NodeRun& run : runs) {
        if (const NodeId node = planned.findNode(run.node); node.valid())
            byNode.emplace(node.index, &run);
    }
    using Words = std::tuple<RunsAs, std::string_view, std::string_view>; // of `runs`
    std::map<Words, std::size_t> known;
    std::vector<NodesRunning> running;
    for (const auto& [node, run] : byNode) {
        const auto [at, isNew] = known.emplace(Words(run->runs, run->kernel, run->reason), running.size());
        if (isNew)
            running.push_back({run->runs, run->kernel, run->reason, {}});
        addNode(running[at->second].nodes, node);
    }
    return running;
}

/// Says again what was said of nodes.
class Teller
{
public:
    Teller(const Model& model, const NodeOutcomes& outcomes)
        : m_model(model)
        , m_outcomes(outcomes)
    {
    }

    /// Nothing where a node is named that is not there, there are too few or too many names, or all that was told is
    /// too long.
    std::optional<RecordedKept> on(const NodeOutcome& outcome)
    {
        if (outcome.why >= m_outcomes.why.size())
            return std::nullopt;
        const OutcomeWords& words = m_outcomes.why[outcome.why];
        std::span<const std::uint32_t> named = outcome.named;
        auto reason = sentence(words.reason, named);
        auto counterfactual = sentence(words.counterfactual, named);
        if (!reason || !counterfactual || !named.empty())
            return std::nullopt;
        return RecordedKept{*std::move(reason), *std::move(counterfactual)};
    }

private:
    /// @param named its names go from the front
    std::optional<std::string> sentence(const std::vector<std::string>& words, std::span<const std::uint32_t>& named)
    {
        std::string text;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (i > 0) {
                if (named.empty() || named.front() >= m_model.nodes.size())
                    return std::nullopt;
                text += inQuotes(m_model.nodes[named.front()].name);
                named = named.subspan(1);
            }
            text += words[i];
            if (text.size() > m_left)
                return std::nullopt;
        }
        m_left -= text.size();
        return text;
    }

    const Model& m_model;
    const NodeOutcomes& m_outcomes;
    std::size_t m_left = kLongestTold;
};

/// @return false where something is told of one of them already, or one is not there
template <typename Told> bool tellOf(std::span<const NodeSpan> spans, const Told& told, std::vector<const Told*>& of)
{
    for (const NodeSpan& span : spans) {
        for (std::size_t node = span.first; node <= span.last; ++node) {
            if (node >= of.size() || of[node] != nullptr)
                return false;
            of[node] = &told;
        }
    }
    return true;
}

/// Of each node; nothing where tellOf() has none.
std::optional<std::vector<const NodeOutcome*>> byNode(const Model& model, const std::vector<NodeOutcome>& others)
{
    std::vector<const NodeOutcome*> of(model.nodes.size(), nullptr);
    for (const NodeOutcome& other : others) {
        if (!tellOf({&other.nodes, 1}, other, of))
            return std::nullopt;
    }
    return of;
}

/// What other nodes are placed around: of a group the node that decides. Nothing where a Teller has none.
std::optional<KeptFloats> keptOf(
    const Decisions& planned, const std::vector<const NodeOutcome*>& others, Teller& teller)
{
    KeptFloats kept;
    for (std::uint32_t i = 0; i < planned.size(); ++i) {
        const NodeOutcome* other = others[i];
        const bool decides = isCompressed(planned[i].state) && !planned[i].fusedWith.valid();
        if (other == nullptr || !decides || isCompressed(other->state))
            continue;
        auto told = teller.on(*other);
        if (!told)
            return std::nullopt;
        kept.emplace_hint(kept.end(), NodeId(i), *std::move(told));
    }
    return kept;
}

} // namespace

NodeOutcomes nodeOutcomes(const Snapshot& planned, const Snapshot& placed, const NodeRuns* runs)
{
    NodeOutcomes outcomes;
    outcomes.plan = digestOf(*planned.model, planned.placement->decisions);
    std::map<OutcomeWords, std::uint32_t> known;
    const bool isSame = planned.model == placed.model;
    const WordsFinder finder(planned, placed);
    for (std::uint32_t i = 0; i < planned.model->nodes.size(); ++i) {
        const NodeId there = isSame ? NodeId(i) : placed.model->findNode(planned.model->nodes[i].name);
        if (!there.valid())
            continue;
        const NodeState state = placed.placement->decisions[there.index].state;
        if (state == planned.placement->decisions[i].state)
            continue;
        std::vector<std::uint32_t> named;
        const OutcomeWords why = finder.of(there, named);
        const auto [at, isNew] = known.emplace(why, static_cast<std::uint32_t>(outcomes.why.size()));
        if (isNew)
            outcomes.why.push_back(why);
        addOther(outcomes.others, {{i, i}, state, at->second, std::move(named)});
    }
    if (runs != nullptr)
        outcomes.running = runningIn(*planned.model, *runs);
    return outcomes;
}

Result<std::shared_ptr<const Placement>> placementWith(
    const Snapshot& planned, const NodeOutcomes& outcomes, const JobContext& job)
{
    using Placed = std::shared_ptr<const Placement>;
    DUO_CHECK(planned.checkPlaced());
    const Model& model = *planned.model;
    const Decisions& before = planned.placement->decisions;
    const auto others = byNode(model, outcomes.others);
    if (!others || digestOf(model, before) != outcomes.plan)
        return Placed();
    if (outcomes.others.empty())
        return planned.placement;
    Teller teller(model, outcomes);
    const auto kept = keptOf(before, *others, teller);
    if (!kept)
        return Placed();
    DUO_TRY(made, kept->empty() ? planned : withKeptFloat(planned, *kept));
    if (job.stopped())
        return cancelledError();
    auto placement = std::make_shared<Placement>(*made.placement);
    KeptFloats told = placement->kept ? *placement->kept : KeptFloats();
    for (std::uint32_t i = 0; i < before.size(); ++i) {
        const NodeOutcome* other = (*others)[i];
        const NodeState state = other == nullptr ? before[i].state : other->state;
        if (placement->decisions[i].state == state)
            continue;
        if (other == nullptr) {
            placement->decisions[i] = before[i];
            continue;
        }
        auto sentences = teller.on(*other);
        if (!sentences)
            return Placed();
        told.insert_or_assign(NodeId(i), *std::move(sentences));
        placement->decisions[i] = {state, {ReasonCode::KeptAsRecorded}, WouldBe::KeptOtherwise};
    }
    placement->kept = std::make_shared<const KeptFloats>(std::move(told));
    renewNothingQuantized(model, *placement);
    return Placed(std::move(placement));
}

std::shared_ptr<const NodeRuns> runsWith(const Snapshot& planned, const NodeOutcomes& outcomes)
{
    if (outcomes.running.empty() || !planned.placement)
        return nullptr;
    const Model& model = *planned.model;
    std::vector<const NodesRunning*> of(model.nodes.size(), nullptr);
    for (const NodesRunning& running : outcomes.running) {
        if (!tellOf(running.nodes, running, of))
            return nullptr;
    }
    if (digestOf(model, planned.placement->decisions) != outcomes.plan)
        return nullptr;
    auto runs = std::make_shared<NodeRuns>();
    for (std::uint32_t i = 0; i < of.size(); ++i) {
        if (const NodesRunning* running = of[i])
            runs->push_back({model.nodes[i].name, running->runs, running->kernel, {}, running->reason});
    }
    return runs;
}

} // namespace duo
