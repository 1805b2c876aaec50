// SPDX-License-Identifier: Apache-2.0
#include "core/transform/fold_batch_norm.h"

#include "core/model/constant_conditions.h"
#include "core/model/held_tensors.h"
#include "core/model/only_use.h"
#include "core/model/op_facts.h"

#include <array>
#include <cmath>

namespace duo {
namespace {

constexpr float kDefaultEpsilon = 1e-5F; // ONNX BatchNormalization

bool isBatchNorm(const Node& node)
{
    return node.opType == "BatchNormalization" && node.domain.empty() && node.inputs.size() == 5
        && !node.outputs.empty() && node.outputs[0].valid() && node.intAttribute("training_mode", 0) == 0;
}

/// Empty where it is no constant, or a caller may give another one.
std::vector<float> fixedVector(const Model& model, ValueId value)
{
    const ValueId source = behindIdentities(model, value);
    return source.valid() && isOverridable(model, model.value(source)) ? std::vector<float>()
                                                                       : floatVector(model, value);
}

/// Nothing where a parameter is not fixed, or a factor no number: what is infinite where differs once it is in a
/// weight.
std::optional<FoldedNorm> normOf(const Model& model, NodeId norm)
{
    std::array<std::vector<float>, 4> parameters; // gamma, beta, mean, variance
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        parameters[i] = fixedVector(model, model.node(norm).inputs[i + 1]);
        if (parameters[i].empty() || parameters[i].size() != parameters[0].size())
            return std::nullopt;
    }
    const auto& [gamma, beta, mean, variance] = parameters;
    const float epsilon = model.node(norm).floatAttribute("epsilon", kDefaultEpsilon);
    FoldedNorm folded{norm, {}, {}};
    for (std::size_t c = 0; c < gamma.size(); ++c) {
        folded.scale.push_back(gamma[c] / std::sqrt(variance[c] + epsilon));
        folded.shift.push_back(beta[c] - mean[c] * folded.scale.back());
        if (!std::isfinite(folded.scale.back()) || !std::isfinite(folded.shift.back()))
            return std::nullopt;
    }
    return folded;
}

/// The BatchNormalization that alone reads a node's output.
NodeId onlyNormBehind(const Model& model, const Node& node)
{
    const auto use = onlyUse(model, node);
    if (!use || use->port != 0)
        return {};
    const Node& reader = model.node(use->node);
    return isBatchNorm(reader) && reader.region == node.region ? use->node : NodeId{};
}

bool hasOtherOutputs(const Model& model, const Node& norm)
{
    for (std::size_t i = 1; i < norm.outputs.size(); ++i) {
        if (norm.outputs[i].valid() && !model.value(norm.outputs[i]).uses.empty())
            return true;
    }
    return false;
}

} // namespace

std::optional<FoldedNorm> foldableNorm(const Model& model, NodeId id)
{
    return isProduct(model.node(id), Product::Convolution) ? normBehind(model, id) : std::nullopt;
}

std::optional<FoldedNorm> normBehind(const Model& model, NodeId id, NodeId last)
{
    const Node& conv = model.node(id);
    if (opFacts(conv).product == Product::None)
        return std::nullopt;
    const std::uint8_t port = opFacts(conv).biasPort;
    const bool hasBias = conv.inputs.size() > port && conv.inputs[port].valid();
    const NodeId norm = onlyNormBehind(model, last.valid() ? model.node(last) : conv);
    if (!norm.valid() || hasOtherOutputs(model, model.node(norm))
        || (hasBias && fixedVector(model, conv.inputs[port]).empty()))
        return std::nullopt;
    return normOf(model, norm);
}

std::optional<FoldedNorm> normBefore(const Model& model, NodeId id)
{
    const Node& product = model.node(id);
    const ValueId data = product.inputs.empty() ? ValueId{} : product.inputs[0];
    const auto use = onlyUse(model, data);
    const NodeId norm = use && use->port == 0 ? model.value(data).producer : NodeId{};
    if (!norm.valid() || !isBatchNorm(model.node(norm)) || model.node(norm).region != product.region
        || model.value(data).producerPort != 0 || hasOtherOutputs(model, model.node(norm)))
        return std::nullopt;
    return normOf(model, norm);
}

PassResult foldBatchNorms(const Model& model, const std::set<NodeId>& written)
{
    EditList edits;
    PassResult result;
    for (const NodeId id : written) {
        const auto norm = foldableNorm(model, id);
        if (!norm)
            continue;
        edits.outputs.push_back({id, 0, model.value(model.node(norm->node).outputs[0]).name});
        edits.removedNodes.push_back(norm->node);
        result.fused.emplace_back(id, norm->node);
    }
    if (!edits.removedNodes.empty())
        result.edits = std::move(edits);
    return result;
}

} // namespace duo
