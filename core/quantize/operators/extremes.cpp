// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/extremes.h"

#include "core/model/op_facts.h"
#include "core/quantize/points/weights.h"
#include "core/support/one_of.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>

namespace duo {
namespace {

constexpr std::int64_t kMostElements = 1 << 20;

bool isLookedAt(const Tensor& tensor, std::int64_t mostElements)
{
    const bool isFloat = tensor.type == ElementType::Float32 || tensor.type == ElementType::Float16
        || tensor.type == ElementType::BFloat16 || tensor.type == ElementType::Float64;
    return isFloat && (mostElements < 0 || tensor.elements() <= mostElements);
}

/// Shows the values of a tensor of floats part by part: a large one is never held a second time.
/// @param wantsMore takes values, says whether to go on
void readParts(const Tensor& tensor, const std::function<bool(const std::vector<float>&)>& wantsMore)
{
    constexpr std::size_t kElements = 1 << 14;
    const std::size_t size = static_cast<std::size_t>(elementBits(tensor.type)) / 8;
    const auto count = static_cast<std::size_t>(tensor.elements());
    if (tensor.bytes().size() / size < count)
        return;
    for (std::size_t first = 0; first < count; first += kElements) {
        const std::size_t elements = std::min(kElements, count - first);
        Tensor part{{}, tensor.type, {static_cast<std::int64_t>(elements)}, tensor.data};
        part.data.bytes = tensor.bytes().subspan(first * size, elements * size);
        if (!wantsMore(toFloats(part)))
            return;
    }
}

/// The element of the largest magnitude, if masks are told by it; else 0.
float maskIn(const Tensor& tensor)
{
    if (!isLookedAt(tensor, kMostElements))
        return 0;
    float largest = 0;
    readParts(tensor, [&](const std::vector<float>& values) {
        for (const float value : values) {
            if (std::abs(value) > std::abs(largest))
                largest = value;
        }
        return true;
    });
    return std::abs(largest) >= kLeastMask ? largest : 0;
}

/// Whether a mask that is read at the port comes out of the node again, larger or smaller.
bool passesMask(const Node& node, std::size_t port)
{
    return movesElements(node, port) || isAnyOf(node, {"Add", "Max", "Min", "Mul", "Sub", "Sum"})
        || (port == 0 && isAnyOf(node, {"Div", "Neg"}));
}

/// What takes masked elements for none.
bool isMaskReader(const Node& node)
{
    constexpr std::array<std::string_view, 8> kTypes{
        "ArgMax", "GlobalMaxPool", "LogSoftmax", "MaxPool", "ReduceLogSumExp", "ReduceMax", "Softmax", "TopK"};
    return node.domain.empty() && isOneOf(node.opType, kTypes);
}

/// Masks on their way.
class Masks
{
public:
    explicit Masks(const Model& model)
        : m_model(model)
        , m_masks(model.values.size(), 0)
        , m_reader(model.values.size())
    {
        for (const NodeId id : model.order)
            passDown(id);
        for (auto id = model.order.rbegin(); id != model.order.rend(); ++id)
            passUp(model.node(*id), *id);
    }

    /// Why a node stays in float; nothing if it need not.
    [[nodiscard]] std::optional<DecisionReason> reason(NodeId id) const
    {
        const Node& node = m_model.node(id);
        if (isMaskReader(node))
            return maskOf(node.inputs.front()) == 0 ? std::nullopt : onTheWay(maskOf(node.inputs.front()), id);
        for (const ValueId output : node.outputs) {
            if (output.valid() && maskOf(output) != 0 && m_reader[output.index].valid())
                return onTheWay(maskOf(output), m_reader[output.index]);
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] float maskOf(ValueId value) const { return value.valid() ? m_masks[value.index] : 0.0F; }

    static std::optional<DecisionReason> onTheWay(float mask, NodeId reader)
    {
        return DecisionReason{.code = ReasonCode::Mask, .about = reader, .number = {mask}};
    }

    /// Looked into once, whoever reads it.
    float maskOfConstant(ValueId value, const Tensor& constant)
    {
        const auto [known, isNew] = m_constants.try_emplace(value.index);
        if (isNew)
            known->second = maskIn(constant);
        return known->second;
    }

    void passDown(NodeId id)
    {
        const Node& node = m_model.node(id);
        if (node.region.index != 0)
            return;
        float mask = 0;
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            const ValueId input = node.inputs[port];
            const Tensor* constant = input.valid() ? m_model.constant(input) : nullptr;
            const bool isCandidate = constant != nullptr || (input.valid() && m_masks[input.index] != 0);
            if (!isCandidate || !passesMask(node, port))
                continue;
            const float given = constant != nullptr ? maskOfConstant(input, *constant) : m_masks[input.index];
            if (std::abs(given) > std::abs(mask))
                mask = given;
        }
        if (mask == 0)
            return;
        for (const ValueId output : node.outputs) {
            if (output.valid())
                m_masks[output.index] = mask;
        }
    }

    void passUp(const Node& node, NodeId id)
    {
        if (node.region.index != 0 || node.inputs.empty())
            return;
        if (isMaskReader(node)) {
            if (node.inputs.front().valid())
                m_reader[node.inputs.front().index] = id;
            return;
        }
        const auto isLeading = [&](ValueId output) { return output.valid() && m_reader[output.index].valid(); };
        const auto leading = std::find_if(node.outputs.begin(), node.outputs.end(), isLeading);
        if (leading == node.outputs.end())
            return;
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            if (node.inputs[port].valid() && passesMask(node, port))
                m_reader[node.inputs[port].index] = m_reader[leading->index];
        }
    }

    const Model& m_model;
    std::unordered_map<std::uint32_t, float> m_constants; // by value: maskIn
    std::vector<float> m_masks; // [values] the largest that goes into it, or 0
    std::vector<NodeId> m_reader; // [values] the Softmax or maximum it leads to, or invalid
};

/// Infinities in what a node reads as weight or table.
class Weights
{
public:
    explicit Weights(const Model& model)
        : m_model(model)
    {
    }

    std::optional<DecisionReason> reason(NodeId id, const OpTraits& traits)
    {
        const Node& node = m_model.node(id);
        const bool isTable = traits.trait == Trait::Embedding;
        if (!isTable && weightPorts(node).empty())
            return std::nullopt;
        for (const std::uint32_t port : {0U, 1U}) {
            const ValueId source = weightSource(m_model, id, port);
            if (!source.valid())
                continue;
            if (const auto held = heldBy(source))
                return DecisionReason{.code = isTable ? ReasonCode::TableHolds : ReasonCode::WeightHolds,
                    .value = source,
                    .number = {*held}};
        }
        return std::nullopt;
    }

private:
    std::optional<float> heldBy(ValueId source)
    {
        const auto [found, isNew] = m_known.try_emplace(source.index);
        if (isNew)
            found->second = firstNonFinite(*m_model.constant(source), kMostElements);
        return found->second;
    }

    const Model& m_model;
    std::unordered_map<std::uint32_t, std::optional<float>> m_known; // by value
};

} // namespace

std::optional<float> firstNonFinite(const Tensor& tensor, std::int64_t mostElements)
{
    if (!isLookedAt(tensor, mostElements))
        return std::nullopt;
    std::optional<float> held;
    readParts(tensor, [&](const std::vector<float>& values) {
        const auto found = std::ranges::find_if(values, [](float value) { return !std::isfinite(value); });
        if (found != values.end())
            held = *found;
        return !held;
    });
    return held;
}

std::map<VertexIndex, DecisionReason> findExtremes(
    const Model& model, const OpGraph& graph, const FusedGraph& fused, bool outputsToo)
{
    const Masks masks(model);
    Weights weights(model);
    std::map<VertexIndex, DecisionReason> found;
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        const Vertex& vertex = fused.vertices[v];
        if (vertex.traits.trait == Trait::NonQuantizable)
            continue;
        const Op& first = graph.ops[vertex.primary()];
        auto reason = first.kind == OpKind::Node ? weights.reason(first.node, first.traits) : std::nullopt;
        for (const OpIndex op : vertex.ops.first(outputsToo ? vertex.ops.size() : 1)) {
            if (!reason && graph.ops[op].kind == OpKind::Node)
                reason = masks.reason(graph.ops[op].node);
        }
        if (reason)
            found.emplace(v, *reason);
    }
    return found;
}

} // namespace duo
