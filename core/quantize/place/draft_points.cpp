// SPDX-License-Identifier: Apache-2.0
// From quantizers at rest and weights to draft points.
#include "core/quantize/place/draft_setup.h"

#include <algorithm>

namespace duo {
namespace {

class Drafter
{
public:
    Drafter(const Model& model, const OpGraph& graph, PropagationState& state)
        : m_model(model)
        , m_graph(graph)
        , m_state(state)
        , m_draft(model)
        , m_pointOf(state.count(), kNoIndex)
    {
    }

    DraftSetup draft(const std::vector<WeightDraft>& weights)
    {
        for (QuantizerIndex id = 0; id < m_state.count(); ++id) {
            if (m_state.at(id).state == QuantizerState::Finished)
                addActivation(id);
        }
        unifyAsPropagated();
        for (const WeightDraft& weight : weights)
            addWeight(weight);
        return std::move(m_draft);
    }

private:
    void addActivation(QuantizerIndex id)
    {
        const PropagatingQuantizer& quantizer = m_state.at(id);
        const FusedGraph& fused = m_state.graph();
        if (quantizer.place.isBehind) {
            addBehind(id, fused.vertices[quantizer.place.index]);
            return;
        }
        const FusedInput& input = fused.inputs[quantizer.place.index];
        const Op& reader = m_graph.ops[fused.vertices[input.to].primary()];
        if (reader.kind == OpKind::Output)
            addBehind(id, fused.vertices[input.from]);
        else if (!isDequantized(m_graph.edges[input.edge].value))
            addAtInput(id, reader.node, input.port);
    }

    void addBehind(QuantizerIndex id, const Vertex& vertex)
    {
        const Op& op = m_graph.ops[vertex.last()];
        if (op.kind == OpKind::Input)
            addPoint(id, {{}, op.value, std::nullopt, false, {}, {}, false, false}, m_draft.modelInputPoint(op.value));
        else if (op.kind == OpKind::Node && m_model.node(op.node).opType != "DequantizeLinear")
            addPoint(id, {op.node, {}, std::nullopt, false, {}, {}, false, false}, m_draft.outputPoint(op.node));
    }

    void addAtInput(QuantizerIndex id, NodeId node, std::uint32_t port)
    {
        addPoint(id, {node, {}, port, false, {}, {}, false, false}, m_draft.inputPoint(node, port));
    }

    void addPoint(QuantizerIndex id, DraftPoint point, DraftIndex taken)
    {
        point.config = m_state.at(id).candidates.front();
        const DraftIndex index = taken == kNoIndex ? m_draft.add(std::move(point)) : taken;
        const auto sinks = sinkNodes(m_state.at(id).sinks);
        auto& known = m_draft.at(index).sinks;
        known.insert(known.end(), sinks.begin(), sinks.end());
        m_pointOf[id] = index;
    }

    [[nodiscard]] std::vector<NodeId> sinkNodes(const std::vector<VertexIndex>& sinks) const
    {
        std::vector<NodeId> nodes;
        for (const VertexIndex v : sinks) {
            const Op& op = m_graph.ops[m_state.graph().vertices[v].primary()];
            if (op.kind == OpKind::Node)
                nodes.push_back(op.node);
        }
        return nodes;
    }

    [[nodiscard]] bool isDequantized(ValueId value) const
    {
        const NodeId producer = m_model.value(value).producer;
        return producer.valid() && m_model.node(producer).opType == "DequantizeLinear";
    }

    void unifyAsPropagated()
    {
        std::map<std::uint32_t, DraftIndex> firstOfGroup;
        for (QuantizerIndex id = 0; id < m_state.count(); ++id) {
            const std::uint32_t group = m_state.groupOf(id);
            if (m_pointOf[id] != kNoIndex && group != kNoIndex)
                m_draft.unify(firstOfGroup.try_emplace(group, m_pointOf[id]).first->second, m_pointOf[id]);
        }
    }

    void addWeight(const WeightDraft& weight)
    {
        const DraftIndex point = m_draft.add(
            {weight.node, {}, weight.port, true, weight.candidates.front(), weight.readers, false, false});
        if (weight.isEmbedding)
            takeOverOutput(weight, point);
    }

    /// A table whose rows come out as they are needs no second quantizer where both can have the same configuration.
    void takeOverOutput(const WeightDraft& weight, DraftIndex weightPoint)
    {
        const DraftIndex output = m_draft.outputPoint(weight.node);
        if (output == kNoIndex)
            return;
        const QuantizerConfig wanted = m_draft.at(output).config;
        const auto common = std::find_if(weight.candidates.begin(), weight.candidates.end(), [&](const auto& config) {
            const bool signedness = !wanted.signednessToForce || wanted.signednessToForce == config.signednessToForce;
            return !config.perChannel && config.numBits == wanted.numBits && config.mode == wanted.mode
                && config.narrowRange == wanted.narrowRange && signedness;
        });
        if (common == weight.candidates.end())
            return;
        m_draft.at(weightPoint).config = *common;
        auto& sinks = m_draft.at(weightPoint).sinks;
        sinks.insert(sinks.end(), m_draft.at(output).sinks.begin(), m_draft.at(output).sinks.end());
        m_draft.unify(output, weightPoint);
        m_draft.remove(output);
    }

    const Model& m_model;
    const OpGraph& m_graph;
    PropagationState& m_state;
    DraftSetup m_draft;
    std::vector<DraftIndex> m_pointOf; // [quantizers]
};

} // namespace

DraftSetup draftSetup(
    const Model& model, const OpGraph& graph, PropagationState& state, const std::vector<WeightDraft>& weights)
{
    return Drafter(model, graph, state).draft(weights);
}

} // namespace duo
