// SPDX-License-Identifier: Apache-2.0
// From quantizers at rest and weights to draft points.
#include "core/model/op_facts.h"
#include "core/quantize/propagate/draft_setup.h"

#include <algorithm>

namespace duo {
namespace {

class Drafter
{
public:
    Drafter(
        const Model& model, const OpGraph& graph, PropagationState& state, std::size_t expectedWeights, bool likeNncf)
        : m_model(model)
        , m_graph(graph)
        , m_state(state)
        , m_draft(model, graph, state.count() + expectedWeights)
        , m_pointOf(state.count(), kNoIndex)
        , m_likeNncf(likeNncf)
    {
    }

    DraftSetup draft(std::vector<WeightDraft> weights)
    {
        for (QuantizerIndex id = 0; id < m_state.count(); ++id) {
            if (m_state.at(id).state == QuantizerState::Finished)
                addActivation(id);
        }
        unifyAsPropagated();
        for (WeightDraft& weight : weights)
            addWeight(std::move(weight));
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
        else if (op.kind == OpKind::Node && (m_likeNncf || m_model.node(op.node).opType != "DequantizeLinear"))
            addPoint(id, {op.node, {}, std::nullopt, false, {}, {}, false, false}, m_draft.outputPoint(op.node));
    }

    void addAtInput(QuantizerIndex id, NodeId node, std::uint32_t port)
    {
        if (port >= m_model.node(node).inputs.size())
            return; // read by a body
        addPoint(id, {node, {}, port, false, {}, {}, false, false}, m_draft.inputPoint(node, port));
    }

    void addPoint(QuantizerIndex id, DraftPoint point, DraftIndex taken)
    {
        point.config = m_state.config(id);
        const DraftIndex index = taken == kNoIndex ? m_draft.add(std::move(point)) : taken;
        DraftPoint& drafted = m_draft.at(index);
        m_state.forEachSink(id, [&](VertexIndex v) {
            const Vertex& sink = m_state.graph().vertices[v];
            const Op& op = m_graph.ops[sink.primary()];
            if (op.kind == OpKind::Node)
                drafted.sinks.push_back(op.node);
            drafted.isNeeded = drafted.isNeeded || sink.isOutput;
        });
        m_pointOf[id] = index;
    }

    [[nodiscard]] bool isDequantized(ValueId value) const { return !m_likeNncf && duo::isDequantized(m_model, value); }

    void unifyAsPropagated()
    {
        std::map<std::uint32_t, DraftIndex> firstOfGroup; // few operators unify
        for (QuantizerIndex id = 0; id < m_state.count(); ++id) {
            const std::uint32_t group = m_state.groupOf(id);
            if (m_pointOf[id] != kNoIndex && group != kNoIndex)
                m_draft.unify(firstOfGroup.try_emplace(group, m_pointOf[id]).first->second, m_pointOf[id]);
        }
    }

    void addWeight(WeightDraft weight)
    {
        const DraftIndex point = m_draft.add(
            {weight.node, {}, weight.port, true, weight.candidates->front(), std::move(weight.readers), false, false});
        if (weight.isEmbedding)
            takeOverOutput(weight, point);
    }

    /// A table whose rows come out as they are needs no second quantizer where both can have the same configuration;
    /// all activations of one scale with its rows then have it too.
    void takeOverOutput(const WeightDraft& weight, DraftIndex weightPoint)
    {
        const DraftIndex output = m_draft.outputPoint(weight.node);
        if (output == kNoIndex)
            return;
        const auto& group = membersOf(output);
        const auto suits = [&](const QuantizerConfig& config) {
            return !config.perChannel && std::all_of(group.begin(), group.end(), [&](DraftIndex member) {
                const QuantizerConfig& wanted = m_draft.at(member).config;
                const bool signedness
                    = !wanted.signednessToForce || wanted.signednessToForce == config.signednessToForce;
                return config.numBits == wanted.numBits && config.mode == wanted.mode
                    && config.narrowRange == wanted.narrowRange && signedness;
            });
        };
        const auto common = std::find_if(weight.candidates->begin(), weight.candidates->end(), suits);
        if (common == weight.candidates->end())
            return;
        for (const DraftIndex member : group)
            m_draft.at(member).config = *common;
        m_draft.at(weightPoint).config = *common;
        auto& sinks = m_draft.at(weightPoint).sinks;
        sinks.insert(sinks.end(), m_draft.at(output).sinks.begin(), m_draft.at(output).sinks.end());
        m_draft.unify(output, weightPoint);
        m_draft.remove(output);
    }

    /// The activation points of one scale with a point, itself included, as propagation left them.
    const std::vector<DraftIndex>& membersOf(DraftIndex point)
    {
        if (m_members.empty()) {
            for (const DraftIndex index : m_pointOf) {
                if (index == kNoIndex)
                    continue;
                m_rootOf[index] = m_draft.unifiedRoot(index);
                m_members[m_rootOf[index]].push_back(index);
            }
        }
        return m_members[m_rootOf[point]];
    }

    const Model& m_model;
    const OpGraph& m_graph;
    PropagationState& m_state;
    DraftSetup m_draft;
    std::vector<DraftIndex> m_pointOf; // [quantizers]
    bool m_likeNncf;
    std::map<DraftIndex, DraftIndex> m_rootOf; // before tables join groups
    std::map<DraftIndex, std::vector<DraftIndex>> m_members; // by root
};

} // namespace

DraftSetup draftSetup(
    const Model& model, const OpGraph& graph, PropagationState& state, std::vector<WeightDraft> weights, bool likeNncf)
{
    return Drafter(model, graph, state, weights.size(), likeNncf).draft(std::move(weights));
}

} // namespace duo
