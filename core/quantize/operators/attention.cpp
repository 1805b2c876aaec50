// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/attention.h"

#include "core/interchange/found_quantizers.h"
#include "core/model/op_facts.h"
#include "core/quantize/points/weights.h"

#include <algorithm>
#include <set>

namespace duo {
namespace {

constexpr std::size_t kMostSteps = 48; // around a Softmax

bool multipliesMatrices(const Node& node)
{
    const OpFacts& facts = opFacts(node);
    return isProduct(node, Product::Matrix)
        || (facts.product == Product::Matrix && facts.form == ProductForm::Fused); // with a scale in it
}

bool readsWeight(const Model& model, NodeId id)
{
    const auto isWeight = [&](std::uint32_t port) {
        const auto& inputs = model.node(id).inputs;
        return weightSource(model, id, port).valid()
            || (port < inputs.size() && isDequantizedConstant(model, inputs[port]));
    };
    return isWeight(0) || isWeight(1);
}

/// What may lie between a Softmax and the products around it: scaling, masks, another shape, quantizers of the file.
bool liesBetween(const Node& node)
{
    return has(node, mark::kKeepsElements | mark::kConverts | mark::kDropped) || isQuantizerOrBarrier(node)
        || isAnyOf(node, {"Add", "Clip", "Div", "Expand", "Max", "Mul", "Sub", "Where"});
}

bool normalizesLayers(const Node& node)
{
    const Norm norm = opFacts(node).norm;
    return norm == Norm::Layer || norm == Norm::Embedding;
}

class Search
{
public:
    explicit Search(const Model& model)
        : m_model(model)
    {
    }

    [[nodiscard]] bool isAttention(const Node& softmax) const
    {
        return !softmax.inputs.empty() && !softmax.outputs.empty() && reaches(softmax, true) && reaches(softmax, false);
    }

    /// The root of a mean, which something is divided by.
    [[nodiscard]] bool isNorm(const Node& root) const
    {
        const Node* before = producerOf(root);
        if (before != nullptr && (before->opType == "Add" || before->opType == "Clip" || before->opType == "Max"))
            before = meanBefore(*before);
        return before != nullptr && before->opType == "ReduceMean" && !root.outputs.empty() && root.outputs[0].valid()
            && std::ranges::any_of(m_model.value(root.outputs[0]).uses, [&](const Use& use) {
                   const std::string& type = m_model.node(use.node).opType;
                   return type == "Div" || type == "Reciprocal" || type == "Mul";
               });
    }

private:
    [[nodiscard]] const Node* producerOf(const Node& node) const
    {
        if (node.inputs.empty() || !node.inputs[0].valid() || !m_model.value(node.inputs[0]).producer.valid())
            return nullptr;
        return &m_model.node(m_model.value(node.inputs[0]).producer);
    }

    /// Epsilon may stand on either side.
    [[nodiscard]] const Node* meanBefore(const Node& add) const
    {
        for (const ValueId input : add.inputs) {
            const NodeId producer = input.valid() ? m_model.value(input).producer : NodeId{};
            if (producer.valid() && m_model.node(producer).opType == "ReduceMean")
                return &m_model.node(producer);
        }
        return nullptr;
    }

    void pushNeighbours(const Node& node, bool isUp, std::vector<NodeId>& open) const
    {
        for (const ValueId value : isUp ? node.inputs : node.outputs) {
            if (!value.valid())
                continue;
            if (isUp && m_model.value(value).producer.valid())
                open.push_back(m_model.value(value).producer);
            for (const Use& use : m_model.value(value).uses) {
                if (!isUp)
                    open.push_back(use.node);
            }
        }
    }

    /// A product of two activations.
    [[nodiscard]] bool reaches(const Node& softmax, bool isUp) const
    {
        std::vector<NodeId> open;
        std::set<NodeId> seen;
        pushNeighbours(softmax, isUp, open);
        for (std::size_t at = 0; at < open.size() && seen.size() < kMostSteps; ++at) {
            const NodeId id = open[at];
            if (!seen.insert(id).second)
                continue;
            const Node& node = m_model.node(id);
            if (multipliesMatrices(node) && !readsWeight(m_model, id))
                return true;
            if (liesBetween(node))
                pushNeighbours(node, isUp, open);
        }
        return false;
    }

    const Model& m_model;
};

} // namespace

bool TransformerSigns::isTransformer() const
{
    return attentions > 0 && norms >= attentions && products >= 2 * convolutions;
}

TransformerSigns transformerSigns(const Model& model)
{
    TransformerSigns signs;
    const Search search(model);
    for (const NodeId id : model.mainGraph().nodes) {
        const Node& node = model.node(id);
        if (has(node, mark::kAttention) || (node.opType == "Softmax" && search.isAttention(node)))
            ++signs.attentions;
        else if (normalizesLayers(node) || (node.opType == "Sqrt" && search.isNorm(node)))
            ++signs.norms;
        else if (multipliesMatrices(node) && readsWeight(model, id))
            ++signs.products;
        else if (isConvolution(node))
            ++signs.convolutions;
    }
    return signs;
}

} // namespace duo
