// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/propagate/clean_up.h"

#include <algorithm>

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
            m_behind[v] = settle(m_state.holder({true, v}), through);
        }
    }

private:
    QuantizerIndex atInput(InputIndex input)
    {
        const VertexIndex from = m_graph.inputs[input].from;
        const QuantizerIndex above = m_graph.vertices[from].hasIntegerOutput ? kNoIndex : m_behind[from];
        return settle(m_state.holder({false, input}), above);
    }

    /// What is in force below a place: its own quantizer, unless the one above makes it redundant.
    QuantizerIndex settle(QuantizerIndex own, QuantizerIndex above)
    {
        if (own == kNoIndex || above == kNoIndex)
            return own == kNoIndex ? above : own;
        if (!isRedundant(m_state.config(above), m_state.config(own)))
            return own;
        m_state.replace(own, {&above, 1});
        return above;
    }

    PropagationState& m_state;
    const FusedGraph& m_graph;
    std::vector<QuantizerIndex> m_behind;
};

} // namespace

void dropLoneElementwiseQuantizers(PropagationState& state)
{
    std::vector<QuantizerIndex> lone;
    for (QuantizerIndex id = 0; id < state.count(); ++id) {
        const PropagatingQuantizer& quantizer = state.at(id);
        if (quantizer.state != QuantizerState::Finished || quantizer.steps > 1)
            continue;
        const VertexIndex sink = onlySink(state, id);
        const bool isElementwise
            = sink != kNoIndex && (state.graph().vertices[sink].traits.roles & role::kElementwise) != 0;
        if (isElementwise && state.timesAffected(sink) == 1)
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

void mergeRedundantQuantizers(PropagationState& state)
{
    RedundancyPass(state).run();
}

} // namespace duo
