// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/propagate/clean_up.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace duo {
namespace {

/// The vertex all sinks are; kNoIndex if there are several or none.
VertexIndex onlySink(const PropagationState& state, QuantizerIndex id)
{
    VertexIndex only = kNoIndex;
    bool isOne = true;
    state.forEachSink(id, [&](VertexIndex sink) {
        isOne = isOne && (only == kNoIndex || only == sink);
        only = sink;
    });
    return isOne ? only : kNoIndex;
}

/// The upper one already does all the lower one would do.
bool isRedundant(const QuantizerConfig& upper, const QuantizerConfig& lower)
{
    const bool sameMode = upper.mode == lower.mode || upper.mode == QuantizationMode::Symmetric;
    const bool sameGranularity = upper.perChannel == lower.perChannel || !upper.perChannel;
    return upper.numBits == lower.numBits && upper.narrowRange == lower.narrowRange && sameMode && sameGranularity;
}

/// What is in force below a place: its own quantizer, unless the one above makes it redundant.
QuantizerIndex settle(PropagationState& state, QuantizerIndex own, QuantizerIndex above)
{
    if (own == kNoIndex || above == kNoIndex)
        return own == kNoIndex ? above : own;
    if (!isRedundant(state.config(above), state.config(own)))
        return own;
    state.replace(own, {&above, 1});
    return above;
}

/// Walks down in topological order with the quantizer that is in force at each place.
class RedundancyPass
{
public:
    explicit RedundancyPass(PropagationState& state)
        : m_state(state)
        , m_graph(state.graph())
        , m_behind(m_graph.vertices.size(), kNoIndex)
    {
    }

    void run()
    {
        for (VertexIndex v = 0; v < m_graph.vertices.size(); ++v) {
            const Vertex& vertex = m_graph.vertices[v];
            QuantizerIndex through = kNoIndex;
            for (const InputIndex input : vertex.in) {
                const QuantizerIndex inForce = atInput(input);
                if (input == vertex.in.front())
                    through = inForce;
            }
            if (vertex.traits.trait != Trait::Agnostic)
                through = kNoIndex;
            m_behind[v] = settle(m_state, m_state.holder({true, v}), through);
        }
    }

private:
    QuantizerIndex atInput(InputIndex input)
    {
        const VertexIndex from = m_graph.inputs[input].from;
        const QuantizerIndex above = m_graph.vertices[from].hasIntegerOutput ? kNoIndex : m_behind[from];
        return settle(m_state, m_state.holder({false, input}), above);
    }

    PropagationState& m_state;
    const FusedGraph& m_graph;
    std::vector<QuantizerIndex> m_behind;
};

/// The walk of NNCF: depth first from every start, each place with the quantizer it was reached under; a place reached
/// twice is settled twice, so that behind an operator with several inputs the one that is reached first does not
/// decide.
class NncfRedundancyPass
{
public:
    explicit NncfRedundancyPass(PropagationState& state)
        : m_state(state)
        , m_graph(state.graph())
        , m_firstInput(2 * m_graph.vertices.size())
        , m_round(m_firstInput + m_graph.inputs.size(), 0)
    {
    }

    void run()
    {
        for (VertexIndex v = 0; v < m_graph.vertices.size(); ++v) {
            if (!m_graph.vertices[v].in.empty())
                continue;
            ++m_rounds;
            m_open.push_back({v, kNoIndex});
            while (!m_open.empty()) {
                const Visit visit = m_open.back();
                m_open.pop_back();
                if (isNew(visit))
                    descend(visit.spot, below(visit));
            }
        }
    }

private:
    /// Spots: operators, then the places behind them, then inputs.
    struct Visit {
        std::size_t spot = 0;
        QuantizerIndex inForce = kNoIndex;
    };

    /// Reached under the same quantizer before, nothing below changes any more.
    bool isNew(const Visit& visit) { return m_known.insert(std::uint64_t{visit.spot} << 32U | visit.inForce).second; }

    [[nodiscard]] VertexIndex vertexOf(std::size_t spot) const
    {
        return static_cast<VertexIndex>(spot % m_graph.vertices.size());
    }

    QuantizerIndex below(const Visit& visit)
    {
        if (visit.spot >= m_firstInput) {
            const auto input = static_cast<InputIndex>(visit.spot - m_firstInput);
            return m_graph.inputs[input].isInteger ? kNoIndex
                                                   : settle(m_state, m_state.holder({false, input}), visit.inForce);
        }
        const VertexIndex v = vertexOf(visit.spot);
        const Vertex& vertex = m_graph.vertices[v];
        if (visit.spot < m_graph.vertices.size())
            return vertex.traits.trait == Trait::Agnostic ? visit.inForce : kNoIndex;
        return vertex.hasIntegerOutput ? kNoIndex : settle(m_state, m_state.holder({true, v}), visit.inForce);
    }

    void descend(std::size_t spot, QuantizerIndex inForce)
    {
        m_round[spot] = m_rounds;
        const std::size_t vertices = m_graph.vertices.size();
        if (spot >= m_firstInput) {
            open(m_graph.inputs[spot - m_firstInput].to, inForce);
        } else if (spot < vertices) {
            open(spot + vertices, inForce);
        } else {
            for (const InputIndex input : m_graph.vertices[vertexOf(spot)].out)
                open(m_firstInput + input, inForce);
        }
    }

    void open(std::size_t spot, QuantizerIndex inForce)
    {
        if (m_round[spot] != m_rounds)
            m_open.push_back({spot, inForce});
    }

    PropagationState& m_state;
    const FusedGraph& m_graph;
    std::size_t m_firstInput; // spot
    std::vector<std::uint32_t> m_round; // [spots] in which it was last visited
    std::uint32_t m_rounds = 0;
    std::vector<Visit> m_open;
    std::unordered_set<std::uint64_t> m_known; // spot and quantizer
};

} // namespace

void dropLoneElementwiseQuantizers(PropagationState& state)
{
    std::vector<QuantizerIndex> lone;
    std::unordered_map<VertexIndex, std::size_t> times; // a Sum may be the sink of thousands
    const auto timesAffected = [&](VertexIndex sink) {
        const auto [entry, isNew] = times.try_emplace(sink, 0);
        if (isNew)
            entry->second = state.timesAffected(sink);
        return entry->second;
    };
    for (QuantizerIndex id = 0; id < state.count(); ++id) {
        const PropagatingQuantizer& quantizer = state.at(id);
        if (quantizer.state != QuantizerState::Finished || quantizer.steps > 1)
            continue;
        const VertexIndex sink = onlySink(state, id);
        const bool isElementwise
            = sink != kNoIndex && (state.graph().vertices[sink].traits.roles & role::kElementwise) != 0;
        if (isElementwise && timesAffected(sink) == 1)
            lone.push_back(id);
    }
    for (const QuantizerIndex id : lone)
        state.replace(id, {});
}

void chooseFirstCandidates(PropagationState& state)
{
    std::vector<CandidatesIndex> chosen; // [candidates]
    for (QuantizerIndex id = 0; id < state.count(); ++id) {
        PropagatingQuantizer& quantizer = state.at(id);
        if (quantizer.state != QuantizerState::Finished)
            continue;
        if (quantizer.candidates >= chosen.size())
            chosen.resize(quantizer.candidates + std::size_t{1}, kNoIndex);
        auto& index = chosen[quantizer.candidates];
        if (index == kNoIndex)
            index = state.indexOf({state.config(id)});
        quantizer.candidates = index;
    }
}

void mergeRedundantQuantizers(PropagationState& state, bool likeNncf)
{
    if (likeNncf)
        NncfRedundancyPass(state).run();
    else
        RedundancyPass(state).run();
}

} // namespace duo
