// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/place/weight_points.h"

#include "core/quantize/points/weights.h"

#include <algorithm>
#include <unordered_map>

namespace duo {
namespace {

std::vector<std::uint32_t> weightPortsOf(const Node& node, const OpTraits& traits)
{
    if (traits.trait == Trait::Embedding)
        return {0};
    if (node.opType == "Conv" || node.opType == "ConvTranspose")
        return {1};
    if ((traits.roles & role::kMatMul) != 0)
        return {0, 1};
    return {};
}

/// The constant at a port if it is a float weight that nobody has quantized yet. NNCF does not look behind a Cast.
const Tensor* floatWeight(const Model& model, NodeId id, std::uint32_t port, bool nncfCompatible)
{
    const ValueId source = weightSource(model, id, port);
    const Tensor* tensor = source.valid() ? model.constant(source) : nullptr;
    if (tensor == nullptr || tensor->type == ElementType::Float32)
        return tensor;
    const bool isCast = model.value(model.node(id).inputs[port]).type.element == ElementType::Float32;
    return isCast && !nncfCompatible ? tensor : nullptr;
}

/// The shape a node reads a weight in.
std::size_t rankOf(const Model& model, const Node& node, std::uint32_t port, const Tensor& weight)
{
    const auto& shape = model.value(node.inputs[port]).type.shape;
    return shape ? shape->size() : weight.dims.size();
}

/// Scales per channel need a channel axis of its own: none in a vector, none in a grouped ConvTranspose, whose axis
/// covers the output channels of one group only.
bool hasChannelAxis(const Node& node, std::size_t rank)
{
    if (rank < 2)
        return false;
    return node.opType != "ConvTranspose" || node.intAttribute("group", 1) == 1;
}

/// Which axis counts as channels, as far as it depends on the node.
std::string channelKind(const Node& node, std::uint32_t port)
{
    if (node.opType != "Gemm")
        return node.opType;
    return node.opType + std::to_string(node.intAttribute(port == 0 ? "transA" : "transB", 0));
}

void keepPerTensorInPlace(Candidates& candidates)
{
    if (candidates.empty())
        return;
    QuantizerConfig best = candidates.front();
    best.perChannel = false;
    std::erase_if(candidates, [](const QuantizerConfig& config) { return config.perChannel; });
    if (candidates.empty())
        candidates.push_back(best); // asked for per channel, which this weight cannot be
}

WeightSpace weightSpaceOf(const OpTraits& traits)
{
    if (traits.trait == Trait::Embedding)
        return WeightSpace::Embedding;
    if ((traits.roles & role::kMatMul) != 0)
        return WeightSpace::Product;
    return traits.space == ActivationSpace::WidePerChannel ? WeightSpace::Depthwise : WeightSpace::Convolution;
}

class WeightFinder
{
public:
    /// `nncfCompatible`: per channel also where scales have no axis of their own.
    WeightFinder(const Model& model, const CandidateLimits& limits, bool nncfCompatible)
        : m_model(model)
        , m_limits(limits)
        , m_nncfCompatible(nncfCompatible)
    {
    }

    void add(VertexIndex vertex, NodeId id, const OpTraits& traits)
    {
        const Node& node = m_model.node(id);
        for (const std::uint32_t port : weightPortsOf(node, traits)) {
            const Tensor* tensor = floatWeight(m_model, id, port, m_nncfCompatible);
            if (tensor == nullptr)
                continue;
            const auto [entry, isNew] = m_drafts.try_emplace(node.inputs[port].index, m_found.size());
            if (isNew)
                addFirst(vertex, id, port, *tensor, weightSpaceOf(traits));
            else
                addReader(m_found[entry->second], vertex, id, port);
        }
    }

    std::vector<WeightDraft> take() { return std::move(m_found); }

private:
    void addFirst(VertexIndex vertex, NodeId id, std::uint32_t port, const Tensor& tensor, WeightSpace space)
    {
        WeightDraft draft{
            vertex, id, port, {id}, {vertex}, weightCandidates(space, m_limits), space == WeightSpace::Embedding};
        if (!m_nncfCompatible && !hasChannelAxis(m_model.node(id), rankOf(m_model, m_model.node(id), port, tensor)))
            keepPerTensorInPlace(draft.candidates);
        m_found.push_back(std::move(draft));
    }

    void addReader(WeightDraft& draft, VertexIndex vertex, NodeId id, std::uint32_t port)
    {
        if (draft.readers.back() == id)
            return;
        if (!m_nncfCompatible
            && channelKind(m_model.node(id), port) != channelKind(m_model.node(draft.node), draft.port))
            keepPerTensorInPlace(draft.candidates); // they disagree on the channel axis
        draft.readers.push_back(id);
        draft.vertices.push_back(vertex);
    }

    const Model& m_model;
    const CandidateLimits& m_limits;
    bool m_nncfCompatible;
    std::vector<WeightDraft> m_found;
    std::unordered_map<std::uint32_t, std::size_t> m_drafts; // value -> index
};

} // namespace

std::vector<WeightDraft> findWeights(
    const Model& model, const OpGraph& graph, const FusedGraph& fused, const CandidateLimits& limits)
{
    WeightFinder finder(model, limits, limits.isStrict);
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        const Vertex& vertex = fused.vertices[v];
        const bool wants = vertex.traits.trait == Trait::InputsQuantizable || vertex.traits.trait == Trait::Embedding;
        if (wants && graph.ops[vertex.primary()].kind == OpKind::Node)
            finder.add(v, graph.ops[vertex.primary()].node, vertex.traits);
    }
    return finder.take();
}

} // namespace duo
