// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/propagate/weight_points.h"

#include "core/model/op_facts.h"
#include "core/quantize/operators/constant_path.h"
#include "core/quantize/points/weights.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

namespace duo {
namespace {

std::vector<std::uint32_t> weightPortsOf(const Node& node, const OpTraits& traits)
{
    return traits.trait == Trait::Embedding ? std::vector<std::uint32_t>{0} : weightPorts(node);
}

/// The constant at a port if it is a float weight that nobody has quantized yet. NNCF does not look behind a Cast, and
/// quantizes a weight again that the file holds in codes; that costs accuracy and gains nothing, so it is left
/// otherwise.
const Tensor* floatWeight(const Model& model, NodeId id, std::uint32_t port, bool likeNncf)
{
    if (likeNncf && port < model.node(id).inputs.size()) {
        const ConstantPath path = constantBehind(model, model.node(id).inputs[port]);
        if (path.isQuantized)
            return model.constant(path.value);
    }
    const ValueId source = weightSource(model, id, port);
    const Tensor* tensor = source.valid() ? model.constant(source) : nullptr;
    if (tensor == nullptr || tensor->type == ElementType::Float32)
        return tensor;
    const bool isCast = model.value(model.node(id).inputs[port]).type.element == ElementType::Float32;
    return isCast && !likeNncf ? tensor : nullptr;
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
    return !isProduct(node, Product::TransposedConvolution) || node.intAttribute("group", 1) == 1;
}

/// Which axis counts as channels, as far as it depends on the node.
std::string channelKind(const Node& node, std::uint32_t port)
{
    const Attribute* equation = node.attribute("equation");
    if (const auto* text = equation != nullptr ? std::get_if<std::string>(&equation->value) : nullptr)
        return node.opType + *text;
    if (node.opType != "Gemm")
        return node.opType;
    return node.opType + std::to_string(node.intAttribute(port == 0 ? "transA" : "transB", 0));
}

Candidates perTensorOnly(Candidates candidates)
{
    if (candidates.empty())
        return candidates;
    QuantizerConfig best = candidates.front();
    best.perChannel = false;
    std::erase_if(candidates, [](const QuantizerConfig& config) { return config.perChannel; });
    if (candidates.empty())
        candidates.push_back(best); // asked for per channel, which this weight cannot be
    return candidates;
}

WeightSpace weightSpaceOf(const Node& node, const OpTraits& traits)
{
    if (traits.trait == Trait::Embedding)
        return WeightSpace::Embedding;
    if (isProduct(node, Product::Matrix))
        return WeightSpace::Product;
    return traits.space == ActivationSpace::WidePerChannel ? WeightSpace::Depthwise : WeightSpace::Convolution;
}

bool wantsWeights(const Vertex& vertex)
{
    return vertex.traits.trait == Trait::InputsQuantizable || vertex.traits.trait == Trait::Embedding;
}

class WeightReader
{
public:
    WeightReader(const Model& model, bool likeNncf)
        : m_model(model)
        , m_likeNncf(likeNncf)
    {
    }

    void add(VertexIndex vertex, NodeId id, const OpTraits& traits)
    {
        const Node& node = m_model.node(id);
        for (const std::uint32_t port : weightPortsOf(node, traits)) {
            const Tensor* tensor = floatWeight(m_model, id, port, m_likeNncf);
            if (tensor == nullptr)
                continue;
            WeightRead read{vertex, id, port, 0, 0, weightSpaceOf(node, traits), true};
            read.weight = m_weights.try_emplace(node.inputs[port].index, m_found.weights).first->second;
            m_found.weights = std::max(m_found.weights, read.weight + 1);
            if (!m_likeNncf) {
                const auto kinds = static_cast<std::uint32_t>(m_channelKinds.size());
                read.channelKind = m_channelKinds.try_emplace(channelKind(node, port), kinds).first->second;
                read.hasChannelAxis = hasChannelAxis(node, rankOf(m_model, node, port, *tensor));
            }
            m_found.reads.push_back(read);
        }
    }

    WeightReads take() { return std::move(m_found); }

private:
    const Model& m_model;
    bool m_likeNncf;
    WeightReads m_found;
    std::unordered_map<std::uint32_t, std::uint32_t> m_weights; // value -> number
    std::map<std::string, std::uint32_t> m_channelKinds;
};

/// The candidates of each space, made once.
class WeightCandidates
{
public:
    explicit WeightCandidates(const CandidateLimits& limits)
    {
        for (const auto space :
            {WeightSpace::Convolution, WeightSpace::Depthwise, WeightSpace::Product, WeightSpace::Embedding}) {
            m_all.push_back(std::make_shared<const Candidates>(weightCandidates(space, limits)));
            m_perTensor.push_back(std::make_shared<const Candidates>(perTensorOnly(*m_all.back())));
        }
    }

    [[nodiscard]] const std::shared_ptr<const Candidates>& of(WeightSpace space, bool perTensor) const
    {
        return (perTensor ? m_perTensor : m_all)[static_cast<std::size_t>(space)];
    }

private:
    std::vector<std::shared_ptr<const Candidates>> m_all, m_perTensor; // [WeightSpace]
};

/// Of readers that want different precisions those with more bits have their way.
bool isMoreExact(const Candidates& a, const Candidates& b)
{
    return !a.empty() && !b.empty() && a.front().numBits > b.front().numBits;
}

} // namespace

WeightReads findWeightReads(const Model& model, const OpGraph& graph, const FusedGraph& fused, bool likeNncf)
{
    WeightReader reader(model, likeNncf);
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        const Vertex& vertex = fused.vertices[v];
        if (wantsWeights(vertex) && graph.ops[vertex.primary()].kind == OpKind::Node)
            reader.add(v, graph.ops[vertex.primary()].node, vertex.traits);
    }
    return reader.take();
}

std::vector<WeightDraft> weightDrafts(
    const WeightReads& reads, const FusedGraph& fused, const std::vector<CandidateLimits>& limits)
{
    const std::vector<WeightCandidates> candidates(limits.begin(), limits.end());
    std::vector<WeightDraft> drafts;
    drafts.reserve(reads.weights);
    std::vector<const WeightRead*> first(reads.weights, nullptr);
    std::vector<std::uint32_t> draftOf(reads.weights, kNoIndex);
    std::vector<bool> isPerTensor(reads.weights, false);
    for (const WeightRead& read : reads.reads) {
        const Vertex& vertex = fused.vertices[read.vertex];
        if (!wantsWeights(vertex))
            continue;
        std::uint32_t& index = draftOf[read.weight];
        const auto& wanted = candidates[vertex.traits.precision];
        if (index == kNoIndex) {
            index = static_cast<std::uint32_t>(drafts.size());
            first[read.weight] = &read;
            isPerTensor[read.weight] = !read.hasChannelAxis;
            drafts.push_back({read.node, read.port, {read.node}, wanted.of(read.space, !read.hasChannelAxis),
                read.space == WeightSpace::Embedding});
        } else if (drafts[index].readers.back() != read.node) {
            drafts[index].readers.push_back(read.node);
            const WeightRead& leader = *first[read.weight];
            if (read.channelKind != leader.channelKind && !isPerTensor[read.weight]) {
                isPerTensor[read.weight] = true;
                drafts[index].candidates
                    = candidates[fused.vertices[leader.vertex].traits.precision].of(leader.space, true);
            }
            const auto& own = wanted.of(leader.space, isPerTensor[read.weight]);
            if (isMoreExact(*own, *drafts[index].candidates))
                drafts[index].candidates = own;
        }
    }
    return drafts;
}

} // namespace duo
