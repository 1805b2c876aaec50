// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/propagate/clean_up.h"

#include <algorithm>

namespace duo {
namespace {

bool hasOneSink(const PropagatingQuantizer& quantizer)
{
    const auto& sinks = quantizer.sinks;
    return !sinks.empty() && std::all_of(sinks.begin(), sinks.end(), [&](VertexIndex v) { return v == sinks.front(); });
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
        if (!isRedundant(m_state.at(above).candidates.front(), m_state.at(own).candidates.front()))
            return own;
        m_state.replace(own, {above});
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
        if (quantizer.state != QuantizerState::Finished || quantizer.steps > 1 || !hasOneSink(quantizer))
            continue;
        const VertexIndex sink = quantizer.sinks.front();
        const bool isElementwise = (state.graph().vertices[sink].traits.roles & role::kElementwise) != 0;
        if (isElementwise && state.timesAffected(sink) == 1)
            lone.push_back(id);
    }
    for (const QuantizerIndex id : lone)
        state.replace(id, {});
}

void chooseFirstCandidates(PropagationState& state)
{
    for (QuantizerIndex id = 0; id < state.count(); ++id) {
        PropagatingQuantizer& quantizer = state.at(id);
        if (quantizer.state == QuantizerState::Finished)
            quantizer.candidates.resize(1);
    }
}

void mergeRedundantQuantizers(PropagationState& state)
{
    RedundancyPass(state).run();
}

} // namespace duo
