// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/profiles/ort_cpu_points.h"

#include "core/model/held_tensors.h"
#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/model/value_address.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/weights.h"
#include "core/quantize/profiles/clamps.h"
#include "core/quantize/profiles/reader_points.h"
#include "core/transform/gemm_fusion.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace duo {
namespace {

constexpr int kMostMoves = 8; // operators between a state and the product that reads it

ValueId resultOf(const Model& model, NodeId node)
{
    const auto& outputs = model.node(node).outputs;
    return outputs.empty() ? ValueId() : outputs.front();
}

bool mustStayFloat(const Model& model, ValueId value, const QuantizationSettings& settings)
{
    return !value.valid() || isBodyOutput(model, value) || (model.value(value).isOutput && !settings.quantizeOutputs);
}

bool isQuantizedAlready(const Model& model, ValueId value)
{
    const auto& uses = model.value(value).uses;
    return uses.size() == 1 && model.node(uses.front().node).opType == "QuantizeLinear";
}

OrtCpuStep stepAt(const Model& model, VertexIndex vertex, NodeId node, const QuantizationSettings& settings)
{
    OrtCpuStep step{vertex, endOfClamps(model, node), true, false};
    const ValueId value = resultOf(model, step.end);
    step.staysFloat = mustStayFloat(model, value, settings);
    step.isQuantizedByFile = value.valid() && isQuantizedAlready(model, value);
    return step;
}

class OrtCpuRules
{
public:
    OrtCpuRules(DraftSetup& draft, const Model& model, const OpGraph& graph, PropagationState& state,
        const OrtCpuPlan& plan, const QuantizationSettings& settings)
        : m_draft(draft)
        , m_model(model)
        , m_graph(graph)
        , m_state(state)
        , m_plan(plan)
        , m_settings(settings)
        , m_floatReasons(model.nodes.size())
        , m_readsWeight(model.nodes.size(), false)
        , m_endsConv(model.nodes.size(), false)
    {
        for (const OrtCpuStep& step : plan.weighted)
            m_endsConv[step.end.index] = isProduct(model.node(primary(vertexAt(step)).node), Product::Convolution);
        for (DraftIndex i = 0; i < draft.count(); ++i) {
            const DraftPoint& point = draft.at(i);
            for (const NodeId reader : point.isWeight && !point.isGone ? point.sinks : std::vector<NodeId>{})
                m_readsWeight[reader.index] = true;
        }
    }

    std::vector<DecisionReason> apply()
    {
        for (const VertexIndex v : m_plan.moving)
            decideMovement(v);
        for (auto step = m_plan.kernels.rbegin(); step != m_plan.kernels.rend(); ++step) // readers decide first
            decideQLinear(*step);
        for (const OrtCpuStep& step : m_plan.weighted) {
            if ((primary(vertexAt(step)).traits.roles & role::kMatMul) != 0)
                decideProduct(vertexAt(step));
            else
                decideConv(step);
        }
        for (const VertexIndex v : m_plan.gated) {
            decideGate(m_state.graph().vertices[v]);
            decideTable(m_state.graph().vertices[v]);
        }
        return std::move(m_floatReasons);
    }

private:
    // Reading the model

    [[nodiscard]] const Op& primary(const Vertex& vertex) const { return m_graph.ops[vertex.primary()]; }

    [[nodiscard]] const Vertex& vertexAt(const OrtCpuStep& step) const { return m_state.graph().vertices[step.vertex]; }

    // Changing the setup

    /// The inputs of a node are no longer read in int8.
    void dropInputs(const Vertex& vertex, NodeId node, DecisionReason reason)
    {
        for (const InputIndex index : vertex.in)
            dropSink(node, m_state.graph().inputs[index].port, node);
        m_floatReasons[node.index] = reason;
    }

    /// `sink` no longer wants what `reader` reads at a port quantized, nor what moved there.
    void dropSink(NodeId reader, std::uint32_t port, NodeId sink)
    {
        std::vector<std::pair<NodeId, std::uint32_t>> open{{reader, port}};
        while (!open.empty()) {
            const auto [node, at] = open.back();
            open.pop_back();
            const DraftIndex point = m_draft.readPoint(node, at);
            if (point == kNoIndex || std::erase(m_draft.at(point).sinks, sink) == 0)
                continue;
            if (m_draft.at(point).sinks.empty() && !m_draft.at(point).isNeeded)
                m_draft.remove(point);
            const NodeId mover = m_model.value(m_model.node(node).inputs[at]).producer;
            const auto moved = mover.valid() ? m_movedPorts.find(mover) : m_movedPorts.end();
            if (moved != m_movedPorts.end()) {
                for (const std::uint32_t from : moved->second)
                    open.emplace_back(mover, from);
            }
        }
    }

    [[nodiscard]] bool readsQuantized(const Vertex& vertex, NodeId node) const
    {
        return std::all_of(vertex.in.begin(), vertex.in.end(),
            [&](InputIndex index) { return m_draft.readPoint(node, m_state.graph().inputs[index].port) != kNoIndex; });
    }

    /// No kernel of ONNX Runtime's CPU provider computes with 16-bit codes: what a rule wants so runs in float between
    /// quantizers, and nothing is put behind it.
    [[nodiscard]] bool readsWideCodes(const Vertex& vertex, NodeId node) const
    {
        return isWide(m_draft.weightPoint(node, 0)) || isWide(m_draft.weightPoint(node, 1))
            || std::any_of(vertex.in.begin(), vertex.in.end(),
                [&](InputIndex index) { return isWide(m_draft.readPoint(node, m_state.graph().inputs[index].port)); });
    }

    [[nodiscard]] bool isWide(DraftIndex point) const
    {
        return point != kNoIndex && m_draft.at(point).config.numBits > 8;
    }

    /// A rule wants more than eight bits of what int8 kernels could only give in eight.
    bool leavesWideResult(const Vertex& vertex, NodeId node, NodeId end)
    {
        const auto uses = m_graph.ports.uses(m_graph.ports.result(end));
        const bool isGivenWide = isWide(m_draft.outputPoint(end))
            || std::any_of(uses.begin(), uses.end(),
                [this](const Use& use) { return isWide(m_draft.inputPoint(use.node, use.port)); });
        if (isGivenWide)
            dropInputs(vertex, node, {ReasonCode::ReadWide});
        return isGivenWide;
    }

    [[nodiscard]] const QuantizerConfig& configRead(const Vertex& vertex, NodeId node) const
    {
        return m_draft.at(m_draft.readPoint(node, m_state.graph().inputs[vertex.in.front()].port)).config;
    }

    // The rules

    void decideQLinear(const OrtCpuStep& step)
    {
        const Vertex& vertex = vertexAt(step);
        const Op& op = primary(vertex);
        if (vertex.traits.trait != Trait::InputsQuantizable)
            return;
        if (!readsQuantized(vertex, op.node)) {
            dropInputs(vertex, op.node, {ReasonCode::OneInputInFloat});
            return;
        }
        if (isSettled(step, vertex, op.node))
            return;
        const bool wanted
            = m_draft.outputPoint(step.end) != kNoIndex || isReadQuantized(step.end) || joinsCodes(vertex, op.node);
        if (!wanted)
            dropInputs(vertex, op.node, {ReasonCode::NotReadInInt8});
        else
            needOutputPoint(m_draft, step.end, configRead(vertex, op.node));
    }

    [[nodiscard]] DecisionReason whyFloat(const OrtCpuStep& step) const
    {
        const ValueId value = m_graph.ports.result(step.end);
        if (!value.valid() || !isBodyOutput(m_model, value))
            return {ReasonCode::ModelOutput};
        return {.code = ReasonCode::LeavesBody, .about = m_model.region(m_model.value(value).region).owner};
    }

    /// An addition of what is written in codes whoever reads it: in int8 it costs one DequantizeLinear less than in
    /// float (the last residual addition of a network, read by a float mean).
    [[nodiscard]] bool joinsCodes(const Vertex& vertex, NodeId node) const
    {
        return m_model.node(node).opType == "Add" && std::ranges::all_of(vertex.in, [&](InputIndex index) {
            const DraftPoint& read = m_draft.at(m_draft.readPoint(node, m_state.graph().inputs[index].port));
            const bool hasOthers = std::ranges::any_of(read.sinks, [node](NodeId sink) { return sink != node; });
            return !read.port && read.node.valid() && (hasOthers || m_endsConv[read.node.index]);
        });
    }

    [[nodiscard]] bool isReadQuantized(NodeId node) const
    {
        const auto uses = m_graph.ports.uses(m_graph.ports.result(node));
        return std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
            return m_draft.areInOneGraph(node, use.node) && m_draft.inputPoint(use.node, use.port) != kNoIndex;
        });
    }

    /// Whether wide codes, or a result that stays in float, leave nothing to decide; inputs are dropped as that wants.
    bool isSettled(const OrtCpuStep& step, const Vertex& vertex, NodeId node)
    {
        if (readsWideCodes(vertex, node) || leavesWideResult(vertex, node, step.end))
            return true;
        if (step.staysFloat)
            dropInputs(vertex, node, whyFloat(step));
        return step.staysFloat;
    }

    void decideConv(const OrtCpuStep& step)
    {
        const Vertex& vertex = vertexAt(step);
        const Op& op = primary(vertex);
        if (!m_readsWeight[op.node.index] && !isDequantizedConstant(m_model, m_model.node(op.node).inputs[1]))
            return;
        if (!readsQuantized(vertex, op.node)) {
            m_floatReasons[op.node.index].code = ReasonCode::InputInFloat;
            return;
        }
        if (isSettled(step, vertex, op.node))
            return;
        if (!step.isQuantizedByFile)
            needOutputPoint(m_draft, step.end, configRead(vertex, op.node));
    }

    /// x * sigmoid(x): three int8 kernels, if what comes in and what goes out is quantized.
    void decideGate(const Vertex& vertex)
    {
        for (const OpIndex member : vertex.ops) {
            const Op& op = m_graph.ops[member];
            if (op.kind != OpKind::Node || m_model.node(op.node).opType != "Sigmoid" || op.out.size() != 1)
                continue;
            const Op& product = m_graph.ops[m_graph.edges[op.out.front()].to];
            const bool gates = product.kind == OpKind::Node && m_model.node(product.node).opType == "Mul"
                && m_draft.outputPoint(product.node) != kNoIndex;
            const DraftIndex read = m_draft.readPoint(op.node, 0);
            if (!gates || read == kNoIndex || m_draft.outputPoint(op.node) != kNoIndex)
                continue;
            const QuantizerConfig config = m_draft.at(read).config;
            const DraftIndex gate = needOutputPoint(m_draft, op.node, config);
            m_draft.at(gate).sinks.push_back(product.node);
        }
    }

    /// A Split runs on int8 only if all its results are quantized.
    [[nodiscard]] bool anyMustStayFloat(NodeId node) const
    {
        const auto values = pointValues(m_model, {.node = node});
        return std::any_of(
            values.begin(), values.end(), [this](ValueId value) { return mustStayFloat(m_model, value, m_settings); });
    }

    /// A Concat may have another scale at each input. Where it has one for all, its result keeps that too.
    [[nodiscard]] bool readsOneScale(const Vertex& vertex, NodeId node)
    {
        const auto scaleOf = [&](InputIndex index) {
            const DraftIndex read = m_draft.readPoint(node, m_state.graph().inputs[index].port);
            return read == kNoIndex ? kNoIndex : m_draft.unifiedRoot(read);
        };
        const DraftIndex first = scaleOf(vertex.in.front());
        const bool readsData = vertex.in.size() == m_graph.ports.inputs(node).size(); // no constant among its inputs
        return readsData && first != kNoIndex && std::all_of(vertex.in.begin(), vertex.in.end(), [&](InputIndex index) {
            return scaleOf(index) == first;
        });
    }

    /// Operators a quantizer moved through: quantized on both sides they run on int8.
    void decideMovement(VertexIndex v)
    {
        const Vertex& vertex = m_state.graph().vertices[v];
        const Op& op = primary(vertex);
        const bool moves = vertex.traits.trait == Trait::Agnostic || vertex.traits.trait == Trait::Concat;
        if (!moves || op.kind != OpKind::Node || m_state.affectingVertex(v).empty() || vertex.in.empty())
            return;
        const DraftIndex read = m_draft.readPoint(op.node, m_state.graph().inputs[vertex.in.front()].port);
        if (read == kNoIndex || anyMustStayFloat(op.node) || m_draft.outputPoint(op.node) != kNoIndex)
            return;
        if (m_draft.at(read).config.numBits != 8)
            return;
        const DraftPoint& above = m_draft.at(read);
        const DraftIndex output
            = m_draft.add({op.node, {}, std::nullopt, false, above.config, above.sinks, false, false});
        if (vertex.traits.trait == Trait::Agnostic || readsOneScale(vertex, op.node))
            m_draft.unify(read, output);
        for (const InputIndex index : vertex.in)
            m_movedPorts[op.node].push_back(m_state.graph().inputs[index].port);
    }

    /// The bias addition behind a MatMul, or the node itself.
    [[nodiscard]] NodeId endOfProduct(const Vertex& vertex) const
    {
        const Op& op = primary(vertex);
        const auto added = addedBehind(m_model, op.node);
        const bool isFused = added && vertex.ops.size() > 1 && m_graph.ops[vertex.ops[1]].node == added->add;
        return isFused ? added->add : op.node;
    }

    [[nodiscard]] bool becomesGemm(NodeId product) const
    {
        const auto added = addedBehind(m_model, product);
        return added && gemmFusion(m_model, product, *added) != GemmFusion::No;
    }

    /// ONNX Runtime fuses a Gemm with the activation behind it before it looks for quantizers; only one in between
    /// prevents that. Relu and Clip before a quantizer vanish first.
    void decideProduct(const Vertex& vertex)
    {
        const Op& op = primary(vertex);
        if (!readsQuantized(vertex, op.node) || readsWideCodes(vertex, op.node)
            || leavesWideResult(vertex, op.node, endOfClamps(m_model, endOfProduct(vertex))))
            return;
        if (const NodeId loop = loopOfUnchangedState(m_model.node(op.node)); loop.valid()) {
            dropInputs(vertex, op.node, {.code = ReasonCode::UnchangedState, .about = loop});
            return;
        }
        if (hasScaledBias(m_model.node(op.node))) {
            dropInputs(vertex, op.node, {ReasonCode::GemmScalesBias});
            return;
        }
        if (addsBesideCodes(m_model, op.node)) { // written as a product and an Add, which no activation is fused with
            if (m_model.isInFunction(m_model.node(op.node)))
                dropInputs(vertex, op.node, {ReasonCode::GemmAddsData});
            return;
        }
        const NodeId end = endOfProduct(vertex);
        const ValueId value = m_graph.ports.result(end);
        const bool isGemm = m_model.node(op.node).opType == "Gemm" || becomesGemm(op.node);
        const auto use = onlyUse(m_model, value);
        if (!isGemm || !use || hasMoreThanTwoAxes(value))
            return;
        const Node& reader = m_model.node(use->node);
        if (actsBehindGemm(reader) && m_draft.outputPoint(endOfClamps(m_model, end)) == kNoIndex)
            needOutputPoint(m_draft, end, configRead(vertex, op.node));
    }

    /// The loop of a state that no trip changes (weights, as converters of Keras hand them in), read by a product as it
    /// is or moved; invalid if there is none.
    [[nodiscard]] NodeId loopOfUnchangedState(const Node& product) const
    {
        for (std::size_t port = 0; port < std::min<std::size_t>(product.inputs.size(), 2); ++port) {
            ValueId value = product.inputs[port];
            for (int moved = 0; moved < kMostMoves && value.valid(); ++moved) {
                const NodeId producer = m_model.value(value).producer;
                if (!producer.valid()) {
                    if (!isUnchangedState(value))
                        break;
                    return m_model.region(m_model.value(value).region).owner;
                }
                const Node& mover = m_model.node(producer);
                const bool moves = m_graph.ops[m_graph.opOfNode[producer.index]].traits.trait == Trait::Agnostic;
                value = moves && !mover.inputs.empty() ? mover.inputs.front() : ValueId();
            }
        }
        return {};
    }

    [[nodiscard]] bool isUnchangedState(ValueId value) const
    {
        const Region& body = m_model.region(m_model.value(value).region);
        const auto given = std::find(body.inputs.begin(), body.inputs.end(), value);
        if (!body.owner.valid() || given == body.inputs.end())
            return false;
        const Node& owner = m_model.node(body.owner);
        const auto index = static_cast<std::size_t>(given - body.inputs.begin());
        // A Loop gives its condition first, and is given trip count and condition before its states (ONNX).
        const std::size_t before = owner.opType == "Loop" ? 1 : 0;
        const std::size_t states = owner.opType == "Scan"
            ? body.inputs.size() - static_cast<std::size_t>(owner.intAttribute("num_scan_inputs", 0))
            : body.inputs.size();
        const bool isState = index < states && (owner.opType != "Loop" || index > 1);
        const bool isGivenBack
            = isState && index - before < body.outputs.size() && body.outputs[index - before].valid();
        return isGivenBack && behindIdentities(m_model, body.outputs[index - before]) == value;
    }

    /// Such a product is reshaped first, and the Reshape keeps the activation away.
    [[nodiscard]] bool hasMoreThanTwoAxes(ValueId value) const
    {
        const auto& shape = m_model.value(value).type.shape;
        return shape && shape->size() > 2;
    }

    /// A Clip is not fused with the Gemm; it gets a quantizer in front as a Relu does.
    [[nodiscard]] static bool actsBehindGemm(const Node& node) { return has(node, mark::kIntoGemm | mark::kClamp); }

    void decideTable(const Vertex& vertex)
    {
        const Op& op = primary(vertex);
        if (vertex.traits.trait != Trait::Embedding || op.kind != OpKind::Node)
            return;
        const DraftIndex table = m_draft.weightPoint(op.node, 0);
        if (table == kNoIndex || isWide(table) || mustStayFloat(m_model, m_graph.ports.result(op.node), m_settings))
            return;
        QuantizerConfig config;
        config.mode = QuantizationMode::Asymmetric;
        m_draft.at(table).config = config;
        const DraftIndex output = needOutputPoint(m_draft, op.node, config);
        m_draft.at(output).config = config;
        m_draft.unify(table, output);
    }

    DraftSetup& m_draft;
    const Model& m_model;
    const OpGraph& m_graph;
    PropagationState& m_state;
    const OrtCpuPlan& m_plan;
    const QuantizationSettings& m_settings;
    std::vector<DecisionReason> m_floatReasons;
    std::vector<bool> m_readsWeight; // [nodes] a quantized one, which others may read too
    std::vector<bool> m_endsConv; // [nodes] a convolution, or the last clamp behind one
    std::map<NodeId, std::vector<std::uint32_t>> m_movedPorts; // inputs of operators that move quantized data
};

} // namespace

OrtCpuPlan planOrtCpuRules(
    const Model& model, const OpGraph& graph, const FusedGraph& fused, const QuantizationSettings& settings)
{
    OrtCpuPlan plan;
    const auto isSigmoid = [&](OpIndex op) {
        return graph.ops[op].kind == OpKind::Node && model.node(graph.ops[op].node).opType == "Sigmoid";
    };
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        const Vertex& vertex = fused.vertices[v];
        const Op& op = graph.ops[vertex.primary()];
        if (std::any_of(vertex.ops.begin(), vertex.ops.end(), isSigmoid) || vertex.traits.trait == Trait::Embedding)
            plan.gated.push_back(v);
        if (op.kind != OpKind::Node || vertex.in.empty())
            continue;
        const Int8Kernel kernel = opFacts(model.node(op.node)).int8;
        if (vertex.traits.trait == Trait::Agnostic || vertex.traits.trait == Trait::Concat)
            plan.moving.push_back(v);
        if (vertex.traits.trait == Trait::InputsQuantizable && kernel == Int8Kernel::Own)
            plan.kernels.push_back(stepAt(model, v, op.node, settings));
        if (kernel == Int8Kernel::Product)
            plan.weighted.push_back(stepAt(model, v, op.node, settings));
    }
    return plan;
}

std::vector<DecisionReason> applyOrtCpuRules(DraftSetup& draft, const Model& model, const OpGraph& graph,
    PropagationState& state, const OrtCpuPlan& plan, const QuantizationSettings& settings)
{
    return OrtCpuRules(draft, model, graph, state, plan, settings).apply();
}

} // namespace duo
