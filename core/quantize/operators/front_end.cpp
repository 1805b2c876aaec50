// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/front_end.h"

#include "core/model/op_facts.h"
#include "core/quantize/operators/fixed_filters.h"
#include "core/quantize/points/weights.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <set>

namespace duo {
namespace {

constexpr std::int64_t kMostElements = std::int64_t{1} << 24;

/// What lies between an operator and the inputs of the model.
enum class Behind : std::uint8_t {
    Nothing, // weights or filters of one channel
    Fixed, // a fixed transform
    Learned,
};

/// Of one channel, which goes into one: as a filter that prepares the samples.
bool isOneFilter(const std::vector<std::int64_t>& dims)
{
    const auto longest = dims.empty() ? dims.end() : std::max_element(dims.begin(), dims.end());
    return longest != dims.end() && *longest >= static_cast<std::int64_t>(kLeastFilterLength)
        && std::count(dims.begin(), dims.end(), 1) == static_cast<std::ptrdiff_t>(dims.size()) - 1;
}

/// x[t] - a x[t - 1], with a between 0.9 and 1: what speech is filtered with before its spectrum is taken.
bool isPreEmphasis(const Tensor& tensor)
{
    constexpr float kLeast = 0.9F;
    if (tensor.type != ElementType::Float32 || tensor.elements() != 2)
        return false;
    const std::vector<float> taps = toFloats(tensor);
    return taps.size() == 2 && taps[1] == 1 && taps[0] <= -kLeast && taps[0] >= -1;
}

/// A matrix with other axes of one element.
bool isMatrix(const std::vector<std::int64_t>& dims)
{
    return std::count_if(dims.begin(), dims.end(), [](std::int64_t dim) { return dim > 1; }) <= 2;
}

class FrontEnds
{
public:
    FrontEnds(const Model& model, const OpGraph& graph)
        : m_model(model)
        , m_graph(graph)
        , m_behind(graph.ops.size(), Behind::Nothing)
        , m_transform(graph.ops.size(), kNoIndex)
    {
        for (OpIndex op = 0; op < graph.ops.size(); ++op) {
            if (graph.isInference(op) && graph.ops[op].kind == OpKind::Node)
                visit(op);
        }
    }

    /// Nothing where the operator is no part of a front end.
    [[nodiscard]] std::optional<DecisionReason> reason(OpIndex op) const
    {
        const OpIndex transform = m_transform[op];
        if (transform == op)
            return DecisionReason{m_isBands.contains(op) ? ReasonCode::FixedBands : ReasonCode::FixedSinusoids};
        if (transform != kNoIndex)
            return DecisionReason{.code = ReasonCode::BehindTransform, .about = m_graph.ops[transform].node};
        if (m_hasTransform && m_oneFilter.contains(op))
            return DecisionReason{ReasonCode::BeforeTransform};
        return std::nullopt;
    }

private:
    void visit(OpIndex at)
    {
        const Op& op = m_graph.ops[at];
        const Node& node = m_model.node(op.node);
        Behind behind = Behind::Nothing;
        for (const EdgeIndex e : op.in) {
            const OpIndex from = m_graph.edges[e].from;
            behind = std::max(behind, m_behind[from]);
            if (m_transform[from] != kNoIndex && m_transform[at] == kNoIndex)
                m_transform[at] = m_transform[from];
        }
        if (behind != Behind::Learned)
            behind = afterNode(at, op, node, behind);
        m_behind[at] = behind;
        if (behind == Behind::Learned)
            m_transform[at] = kNoIndex;
    }

    Behind afterNode(OpIndex at, const Op& op, const Node& node, Behind before)
    {
        const bool isConv = isProduct(node, Product::Convolution);
        if (!isConv && !isProduct(node, Product::Matrix))
            return isLearner(node, op) ? Behind::Learned : isTransform(at, node) ? Behind::Fixed : before;
        for (const std::uint32_t port : {1U, 0U}) {
            const ValueId source = weightSource(m_model, op.node, port);
            const Tensor* tensor = source.valid() ? m_model.constant(source) : nullptr;
            if (tensor == nullptr || (isConv && port == 0))
                continue;
            if (isConv && before == Behind::Nothing && (isOneFilter(tensor->dims) || isPreEmphasis(*tensor))) {
                m_oneFilter.insert(at);
                return before;
            }
            return isFixed(at, op.node, port, *tensor, before) ? Behind::Fixed : Behind::Learned;
        }
        if (!isConv
            && (isComputed(node, {"Cos", "Sin"})
                || (before == Behind::Fixed && isComputed(node, {"ScatterElements", "ScatterND"})))) {
            m_transform[at] = at;
            m_hasTransform = true;
            if (!isComputed(node, {"Cos", "Sin"}))
                m_isBands.insert(at);
            return Behind::Fixed;
        }
        return Behind::Learned;
    }

    /// Whether an operand is computed from constants alone, with one of these operators shortly before.
    [[nodiscard]] bool isComputed(const Node& node, std::initializer_list<std::string_view> types) const
    {
        constexpr int kMostSteps = 6;
        return std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId value) {
            for (int step = 0; step < kMostSteps && value.valid() && m_model.value(value).producer.valid(); ++step) {
                const NodeId producer = m_model.value(value).producer;
                const Node& before = m_model.node(producer);
                const OpIndex op = m_graph.opOfNode[producer.index];
                if (op == kNoIndex || !m_graph.isConstantOnly[op] || before.inputs.empty())
                    return false;
                if (std::find(types.begin(), types.end(), before.opType) != types.end())
                    return true;
                value = before.inputs.front();
            }
            return false;
        });
    }

    bool isTransform(OpIndex at, const Node& node)
    {
        if (node.opType != "STFT" && node.opType != "DFT")
            return false;
        m_transform[at] = at;
        m_hasTransform = true;
        return true;
    }

    /// Operators with weights of their own, and what cannot be looked into.
    [[nodiscard]] static bool isLearner(const Node& node, const Op& op)
    {
        constexpr std::array<std::string_view, 5> kTypes{"Attention", "DeformConv", "If", "Loop", "Scan"};
        return !node.domain.empty() || node.isCall || op.traits.trait == Trait::Embedding
            || opFacts(node).product != Product::None
            || std::find(kTypes.begin(), kTypes.end(), node.opType) != kTypes.end();
    }

    bool isFixed(OpIndex at, NodeId id, std::uint32_t port, const Tensor& tensor, Behind before)
    {
        if (tensor.type != ElementType::Float32 || tensor.elements() > kMostElements || !isMatrix(tensor.dims))
            return false;
        const auto weight = readWeight(m_model, id, port);
        if (!weight)
            return false;
        const FilterBank bank = bankOf(m_model.node(id), port, *weight);
        const bool isSinusoids = isSinusoidBank(bank);
        if (!isSinusoids && (before != Behind::Fixed || !isBandBank(bank)))
            return false;
        m_transform[at] = at;
        m_hasTransform = true;
        if (!isSinusoids)
            m_isBands.insert(at);
        return true;
    }

    /// One filter for each output.
    static FilterBank bankOf(const Node& node, std::uint32_t port, const Weight& weight)
    {
        FilterBank bank{weight.values, 0, 0, false};
        const auto layout = weightLayout(node, port, weight.dims.size());
        if (weight.dims.size() < 2 || !layout || !layout->output || !layout->input)
            return bank;
        bank.isByColumn = *layout->output + 1 == weight.dims.size();
        const auto rows = static_cast<std::size_t>(weight.dims[bank.isByColumn ? *layout->input : *layout->output]);
        const auto columns = rows == 0 ? 0 : weight.values.size() / rows;
        bank.filters = bank.isByColumn ? columns : rows;
        bank.length = bank.isByColumn ? rows : columns;
        return bank;
    }

    const Model& m_model;
    const OpGraph& m_graph;
    std::vector<Behind> m_behind; // [ops]
    std::vector<OpIndex> m_transform; // [ops] the fixed transform it is or follows, or kNoIndex
    std::set<OpIndex> m_isBands; // transforms by bands, not by sinusoids
    std::set<OpIndex> m_oneFilter;
    bool m_hasTransform = false;
};

} // namespace

std::map<VertexIndex, DecisionReason> findFrontEnds(const Model& model, const OpGraph& graph, const FusedGraph& fused)
{
    const FrontEnds ends(model, graph);
    std::map<VertexIndex, DecisionReason> found;
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        const Vertex& vertex = fused.vertices[v];
        const Op& op = graph.ops[vertex.primary()];
        if (op.kind != OpKind::Node || vertex.traits.trait != Trait::InputsQuantizable)
            continue;
        if (const auto reason = ends.reason(vertex.primary()))
            found.emplace(v, *reason);
    }
    return found;
}

} // namespace duo
