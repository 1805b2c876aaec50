// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/profiles/profile_points.h"

#include "core/model/op_facts.h"
#include "core/quantize/profiles/clamps.h"
#include "core/quantize/profiles/reader_points.h"

#include <algorithm>

namespace duo {
namespace {

class EveryTensor
{
public:
    EveryTensor(DraftSetup& draft, const Model& model, const OpGraph& graph, PropagationState& state,
        const std::vector<CandidateLimits>& limits)
        : m_draft(draft)
        , m_model(model)
        , m_graph(graph)
        , m_state(state)
        , m_limits(limits)
    {
    }

    void add()
    {
        for (const Vertex& vertex : m_state.graph().vertices) {
            const Op& op = m_graph.ops[vertex.primary()];
            if (op.kind == OpKind::Node && vertex.traits.trait != Trait::NonQuantizable)
                addAround(vertex, op.node, m_graph.ops[vertex.last()].node);
        }
    }

private:
    /// @param id and last: of the operators computed as one
    void addAround(const Vertex& vertex, NodeId id, NodeId last)
    {
        const Candidates candidates = activationCandidates(ActivationSpace::Wide, m_limits[vertex.traits.precision]);
        if (candidates.empty())
            return;
        const QuantizerConfig& config = candidates.front();
        const bool moves = vertex.traits.trait == Trait::Agnostic || vertex.traits.trait == Trait::Concat;
        std::vector<DraftIndex> read;
        for (const OpIndex op : vertex.ops)
            addReads(op, config, read);
        if (vertex.traits.trait == Trait::InputsQuantizable && vertex.ops.size() == 1) {
            addConstants(vertex, id, config);
            addNormScale(id);
        }
        if (!givesFloat(last) || (read.empty() && vertex.traits.trait != Trait::Embedding))
            return;
        if (vertex.traits.trait == Trait::InputsQuantizable)
            leaveBitsToReaders(last, config);
        const QuantizerConfig& kept = moves && !read.empty() ? m_draft.at(read.front()).config : config;
        const DraftIndex output = needOutputPoint(m_draft, last, QuantizerConfig(kept));
        if (vertex.traits.trait == Trait::Embedding)
            addTable(id, output);
        for (const DraftIndex point : read) {
            if ((moves || clampsAlone(id)) && m_draft.at(point).config == m_draft.at(output).config)
                m_draft.unify(point, output);
        }
    }

    /// What an operator reads from outside of those computed with it: the second one of a GELU reads its input, too.
    void addReads(OpIndex op, const QuantizerConfig& config, std::vector<DraftIndex>& read)
    {
        const auto& vertexOfOp = m_state.graph().vertexOfOp;
        for (const EdgeIndex index : m_graph.ops[op].in) {
            const OpEdge& edge = m_graph.edges[index];
            const bool isPort = edge.port < kBodyPort; // what a body of it reads is no input of its own
            if (isPort && edge.isFloat && vertexOfOp[edge.from] != vertexOfOp[op])
                read.push_back(readAt(m_graph.ops[op].node, edge.port, config));
        }
    }

    /// An operator gives its result in its own bits; readers that want others quantize it again.
    void leaveBitsToReaders(NodeId id, const QuantizerConfig& config)
    {
        const DraftIndex output = m_draft.outputPoint(id);
        if (output == kNoIndex || m_draft.at(output).config.numBits == config.numBits)
            return;
        const DraftPoint given = m_draft.at(output);
        for (const Use& use : m_graph.ports.uses(m_graph.ports.result(id))) {
            if (m_draft.inputPoint(use.node, use.port) != kNoIndex || m_model.node(use.node).region.index != 0)
                continue;
            const bool isSink = std::find(given.sinks.begin(), given.sinks.end(), use.node) != given.sinks.end();
            m_draft.unify(output,
                m_draft.add({use.node, {}, use.port, false, given.config, isSink ? std::vector{use.node} : given.sinks,
                    false, false}));
        }
        m_draft.remove(output);
    }

    DraftIndex readAt(NodeId id, std::uint32_t port, const QuantizerConfig& config)
    {
        DraftIndex point = m_draft.readPoint(id, port);
        if (point == kNoIndex)
            point = m_draft.add({id, {}, port, false, config, {}, false, false});
        m_draft.at(point).sinks.push_back(id);
        return point;
    }

    /// A table and its rows have one code.
    void addTable(NodeId id, DraftIndex output)
    {
        const DraftIndex table = m_draft.weightPoint(id, 0);
        if (table == kNoIndex)
            return;
        m_draft.at(table).config = m_draft.at(output).config;
        m_draft.unify(table, output);
    }

    /// The constant operand of an elementwise operator is quantized like an activation.
    void addConstants(const Vertex& vertex, NodeId id, const QuantizerConfig& config)
    {
        if ((vertex.traits.roles & role::kElementwise) == 0)
            return;
        const auto& inputs = m_model.node(id).inputs;
        for (std::uint32_t port = 0; port < inputs.size(); ++port) {
            const Tensor* constant = inputs[port].valid() ? m_model.constant(inputs[port]) : nullptr;
            if (constant == nullptr || constant->type != ElementType::Float32
                || m_draft.weightPoint(id, port) != kNoIndex)
                continue;
            QuantizerConfig asymmetric = config;
            asymmetric.mode = QuantizationMode::Asymmetric;
            m_draft.add({id, {}, port, true, asymmetric, {id}, false, false});
        }
    }

    /// The scale of a norm with an int32 bias is a weight, symmetric and per tensor; its bias follows.
    void addNormScale(NodeId id)
    {
        const Node& node = m_model.node(id);
        if (!isNorm(node) || opFacts(node).biasPort == kNoPort || node.inputs.size() < 2)
            return;
        const Tensor* scale = node.inputs[1].valid() ? m_model.constant(node.inputs[1]) : nullptr;
        if (scale != nullptr && scale->type == ElementType::Float32 && m_draft.weightPoint(id, 1) == kNoIndex)
            m_draft.add({id, {}, 1, true, QuantizerConfig{}, {id}, false, false});
    }

    /// It alone reads what it clamps, which so takes its range.
    [[nodiscard]] bool clampsAlone(NodeId id) const
    {
        const auto& inputs = m_model.node(id).inputs;
        return !inputs.empty() && inputs.front().valid() && behindClamps(m_model, inputs.front()) != inputs.front();
    }

    [[nodiscard]] bool givesFloat(NodeId id) const
    {
        const auto& outputs = m_model.node(id).outputs;
        return !outputs.empty() && outputs.front().valid()
            && m_model.value(outputs.front()).type.element == ElementType::Float32;
    }

    DraftSetup& m_draft;
    const Model& m_model;
    const OpGraph& m_graph;
    PropagationState& m_state;
    const std::vector<CandidateLimits>& m_limits;
};

} // namespace

void quantizeEveryTensor(DraftSetup& draft, const Model& model, const OpGraph& graph, PropagationState& state,
    const std::vector<CandidateLimits>& limits)
{
    EveryTensor(draft, model, graph, state, limits).add();
}

} // namespace duo
