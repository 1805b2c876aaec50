// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/propagate/propagation.h"

#include "core/quantize/propagate/candidates.h"
#include "core/quantize/propagate/clean_up.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <tuple>

namespace duo {
namespace {

auto rank(const QuantizerConfig& config, std::ptrdiff_t votes)
{
    return std::tuple(votes, -config.numBits, config.perChannel, config.mode == QuantizationMode::Asymmetric);
}

/// NNCF's MERGE_ALL_IN_ONE: what all lists offer, sorted by the sum of its positions, then more bits, per tensor,
/// symmetric first. Empty: nothing in common, no merge.
Candidates commonCandidates(const std::vector<Candidates>& lists)
{
    std::vector<std::pair<QuantizerConfig, std::ptrdiff_t>> common;
    for (const QuantizerConfig& config : lists.front()) {
        std::ptrdiff_t votes = 0;
        bool isCommon = true;
        for (const Candidates& list : lists) {
            const auto found = std::find(list.begin(), list.end(), config);
            isCommon = isCommon && found != list.end();
            votes += found - list.begin();
        }
        if (isCommon)
            common.emplace_back(config, votes);
    }
    std::stable_sort(common.begin(), common.end(),
        [](const auto& a, const auto& b) { return rank(a.first, a.second) < rank(b.first, b.second); });
    Candidates merged;
    for (const auto& [config, votes] : common)
        merged.push_back(config);
    return merged;
}

enum class Step : std::uint8_t { Go, Merge, Stop, Wait };

class Solver
{
public:
    Solver(PropagationState& state, const PropagationOptions& options)
        : m_state(state)
        , m_graph(state.graph())
        , m_options(options)
        , m_branching(m_graph, options.likeNncf)
        , m_candidatesOf(options.limits.size())
        , m_waitingAt(m_graph.vertices.size())
    {
    }

    void run()
    {
        if (m_options.startOrder.empty()) {
            for (VertexIndex v = 0; v < m_graph.vertices.size(); ++v)
                startAt(v);
        } else {
            for (const VertexIndex v : m_options.startOrder)
                startAt(v);
        }
        while (!m_queue.empty()) {
            const QuantizerIndex id = m_queue.front();
            m_queue.pop_front();
            if (!m_state.isActive(id))
                continue;
            m_current = id;
            if (m_state.at(id).waitingAt != kNoIndex) {
                tryToMerge(id);
                continue;
            }
            m_idleRounds = 0;
            if (m_state.at(id).place.isBehind)
                stepThroughVertex(id);
            else
                stepBehindProducer(id);
        }
    }

private:
    // Starts

    void startAt(VertexIndex v)
    {
        const Vertex& vertex = m_graph.vertices[v];
        const bool isModelOutput = (vertex.traits.roles & role::kOutput) != 0; // bodies give float
        const bool isWantedOutput = isModelOutput && m_options.quantizeOutputs;
        if (vertex.traits.trait != Trait::InputsQuantizable && !isWantedOutput)
            return;
        const CandidatesIndex candidates
            = candidatesOf(isWantedOutput ? ActivationSpace::Preset : vertex.traits.space, vertex.traits.precision);
        QuantizerIndex first = kNoIndex;
        for (const InputIndex input : vertex.in) {
            const bool isLimited = vertex.traits.limitsPorts && m_graph.inputs[input].port > 1;
            if (m_graph.inputs[input].isInteger || isLimited)
                continue;
            const QuantizerIndex id = m_state.start(input, candidates);
            m_queue.push_back(id);
            const bool unifies = m_options.unifiesElementwiseInputs && (vertex.traits.roles & role::kUnifiesOnNpu) != 0;
            if (unifies) // an only input is a group of one, which its copies above a Concat join
                m_state.unify(first == kNoIndex ? id : first, id);
            first = first == kNoIndex ? id : first;
        }
    }

    CandidatesIndex candidatesOf(ActivationSpace space, std::uint32_t precision)
    {
        auto& known = m_candidatesOf[precision][static_cast<std::size_t>(space)];
        if (!known)
            known = m_state.indexOf(activationCandidates(space, m_options.limits[precision]));
        return *known;
    }

    // From an input port up to behind the producer

    void stepBehindProducer(QuantizerIndex id)
    {
        const InputIndex input = m_state.at(id).place.index;
        switch (statusBehindProducer(id, input)) {
        case Step::Go:
            m_state.moveBehind(id, input);
            m_queue.push_back(id);
            break;
        case Step::Merge:
            m_state.mergeUp(id, input, above(input));
            break;
        case Step::Stop:
            m_state.finish(id);
            break;
        case Step::Wait:
            m_state.at(id).waitingAt = m_graph.inputs[input].from;
            m_lists.push(m_waitingAt[m_graph.inputs[input].from], id);
            m_queue.push_back(id);
            break;
        }
    }

    Step statusBehindProducer(QuantizerIndex id, InputIndex input)
    {
        const VertexIndex from = m_graph.inputs[input].from;
        if (m_graph.vertices[from].hasIntegerOutput)
            return Step::Stop;
        const auto others = above(input);
        if (!others.empty())
            return meeting(id, others.front());
        if (m_graph.vertices[from].out.size() > 1)
            return statusAtBranch(id, from);
        return Step::Go;
    }

    /// Who affects the edge above an input, or else the place behind the producer. Valid until the next question.
    std::span<const QuantizerIndex> above(InputIndex input)
    {
        const auto affecting = m_state.affectingEdge(input);
        if (!affecting.empty())
            return affecting;
        const VertexIndex from = m_graph.inputs[input].from;
        m_holder = m_state.holder({true, from});
        return m_holder != kNoIndex ? std::span<const QuantizerIndex>(&m_holder, 1) : m_state.affectingBehind(from);
    }

    [[nodiscard]] Step meeting(QuantizerIndex id, QuantizerIndex other) const
    {
        return m_state.at(id).candidates == m_state.at(other).candidates ? Step::Merge : Step::Stop;
    }

    // From behind a vertex to its inputs

    void stepThroughVertex(QuantizerIndex id)
    {
        const VertexIndex v = m_state.at(id).place.index;
        const Vertex& vertex = m_graph.vertices[v];
        if (vertex.traits.trait == Trait::Embedding)
            m_state.at(id).embedding = v;
        const bool passes = vertex.traits.trait == Trait::Agnostic || vertex.traits.trait == Trait::Concat;
        if (!passes || vertex.hasIntegerOutput || vertex.in.empty()) {
            m_state.finish(id);
            return;
        }
        if (vertex.in.size() == 1)
            stepToOnlyInput(id, vertex.in.front());
        else
            stepToInputs(id, v);
    }

    void stepToOnlyInput(QuantizerIndex id, InputIndex input)
    {
        if (m_graph.inputs[input].isInteger) {
            m_state.finish(id);
            return;
        }
        const auto others = m_state.affectingInput(input);
        if (!others.empty() && meeting(id, others.front()) == Step::Merge) {
            m_state.replace(id, others);
        } else if (!others.empty()) {
            m_state.finish(id);
        } else {
            m_state.moveThrough(id, input);
            m_queue.push_back(id);
        }
    }

    /// A copy for every input it can go to. Where the first input is none of them, the first copy stays behind.
    void stepToInputs(QuantizerIndex id, VertexIndex v)
    {
        const Vertex& vertex = m_graph.vertices[v];
        const auto isFree = [this](InputIndex input) { return !m_graph.inputs[input].isInteger; };
        if (std::none_of(vertex.in.begin(), vertex.in.end(), isFree)) {
            m_state.finish(id);
            return;
        }
        std::vector<QuantizerIndex> copies;
        std::vector<InputIndex> targets;
        for (const InputIndex input : vertex.in) {
            if (!isFree(input) && input != vertex.in.front())
                continue;
            copies.push_back(m_state.copy(id));
            targets.push_back(input);
        }
        m_state.replace(id, copies);
        if (vertex.traits.trait == Trait::Concat && m_options.unifiesConcatInputs && m_branching.unifiesScales(v)) {
            for (std::size_t i = 1; i < copies.size(); ++i)
                m_state.unify(copies.front(), copies[i]);
        }
        for (std::size_t i = 0; i < copies.size(); ++i) {
            if (!isFree(targets[i])) {
                m_state.finish(copies[i]);
                continue;
            }
            m_state.moveThrough(copies[i], targets[i]);
            m_queue.push_back(copies[i]);
        }
    }

    // Branches

    Step statusAtBranch(QuantizerIndex id, VertexIndex v)
    {
        if (m_branching.reachesOutput(v) && !m_options.quantizeOutputs)
            return Step::Stop;
        bool hasOthers = false;
        for (const VertexIndex reader : m_branching.firstComputing(v)) {
            const Vertex& vertex = m_graph.vertices[reader];
            if (vertex.traits.limitsPorts && !allReadersQuantized(v))
                return Step::Stop;
            const auto affecting = m_state.affectingVertex(reader);
            if (!affecting.empty()) {
                hasOthers = hasOthers || affecting.front() != id || affecting.size() > 1;
                continue;
            }
            if (vertex.traits.trait != Trait::Concat)
                return Step::Stop; // has to stay in float
            bool isWaitedFor = false;
            for (const QuantizerIndex other : m_state.firstActiveBelow(reader)) {
                isWaitedFor = isWaitedFor || other != m_current;
                hasOthers = hasOthers || (other != m_current && other != id);
            }
            if (!isWaitedFor)
                return Step::Stop; // nothing can quantize this Concat any more
        }
        return hasOthers ? Step::Wait : Step::Go;
    }

    /// Every way down from behind `v` meets a quantizer before an operator that computes.
    [[nodiscard]] bool allReadersQuantized(VertexIndex v) const
    {
        std::vector<VertexIndex> stack{v};
        std::size_t steps = 0;
        while (!stack.empty() && ++steps <= m_graph.inputs.size()) {
            const VertexIndex current = stack.back();
            stack.pop_back();
            for (const InputIndex input : m_graph.vertices[current].out) {
                if (m_state.holder({false, input}) != kNoIndex)
                    continue;
                const VertexIndex reader = m_graph.inputs[input].to;
                if (m_graph.vertices[reader].traits.trait != Trait::Agnostic)
                    return false;
                if (m_state.holder({true, reader}) == kNoIndex)
                    stack.push_back(reader);
            }
        }
        return true;
    }

    void tryToMerge(QuantizerIndex id)
    {
        const VertexIndex v = m_state.at(id).waitingAt;
        m_waiting.clear();
        m_lists.forEach(m_waitingAt[v], [this](QuantizerIndex other) { m_waiting.push_back(other); });
        std::sort(m_waiting.begin(), m_waiting.end());
        const bool isComplete = std::ranges::equal(m_waiting, m_state.firstActiveBelow(v));
        if (!isComplete && !isStuck()) {
            ++m_idleRounds;
            m_queue.push_back(id);
            return;
        }
        m_idleRounds = 0;
        mergeWaitingAt(v, !isComplete);
    }

    /// Nothing but waiting for each other goes on: no merge can ever happen the regular way.
    [[nodiscard]] bool isStuck() const { return m_idleRounds > m_queue.size() + 1; }

    void mergeWaitingAt(VertexIndex v, bool givesUp)
    {
        // While they waited, a Concat below may have turned out to stay in float.
        m_current = kNoIndex;
        const bool aborts = givesUp || std::any_of(m_waiting.begin(), m_waiting.end(), [&](QuantizerIndex id) {
            return statusAtBranch(id, v) == Step::Stop;
        });
        for (const QuantizerIndex id : m_waiting)
            m_state.at(id).waitingAt = kNoIndex;
        m_waitingAt[v] = {};
        const auto merged = aborts ? std::nullopt : commonOfWaiting();
        if (!merged) {
            for (const QuantizerIndex id : m_waiting)
                m_state.finish(id);
            return;
        }
        const QuantizerIndex made = m_state.startMerged(v, *merged);
        for (const QuantizerIndex id : m_waiting)
            m_state.mergeUp(id, m_state.at(id).place.index, {&made, 1});
        m_queue.push_back(made);
    }

    /// Nothing where they have nothing in common.
    std::optional<CandidatesIndex> commonOfWaiting()
    {
        const CandidatesIndex first = m_state.at(m_waiting.front()).candidates;
        const bool areEqual = std::all_of(
            m_waiting.begin(), m_waiting.end(), [&](QuantizerIndex id) { return m_state.at(id).candidates == first; });
        if (areEqual) // the common part of equal lists is the list
            return m_state.candidates(first).empty() ? std::nullopt : std::optional(first);
        std::vector<Candidates> lists;
        for (const QuantizerIndex id : m_waiting)
            lists.push_back(m_state.candidates(m_state.at(id).candidates));
        const Candidates common = commonCandidates(lists);
        return common.empty() ? std::nullopt : std::optional(m_state.indexOf(common));
    }

    PropagationState& m_state;
    const FusedGraph& m_graph;
    const PropagationOptions& m_options;
    Branching m_branching;
    using BySpace = std::array<std::optional<CandidatesIndex>, static_cast<std::size_t>(ActivationSpace::Fixed) + 1>;
    std::vector<BySpace> m_candidatesOf; // [OpTraits::precision]
    NumberLists m_lists;
    std::vector<NumberLists::List> m_waitingAt; // [vertices] at the branch behind
    std::vector<QuantizerIndex> m_waiting; // all at one branch
    QuantizerIndex m_holder = kNoIndex; // answer of above()
    std::deque<QuantizerIndex> m_queue;
    QuantizerIndex m_current = kNoIndex;
    std::size_t m_idleRounds = 0;
};

} // namespace

std::unique_ptr<PropagationState> propagate(const FusedGraph& graph, const PropagationOptions& options)
{
    auto state = std::make_unique<PropagationState>(graph);
    Solver(*state, options).run();
    dropLoneElementwiseQuantizers(*state);
    chooseFirstCandidates(*state);
    mergeRedundantQuantizers(*state, options.likeNncf);
    return state;
}

} // namespace duo
