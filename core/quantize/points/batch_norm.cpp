// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/batch_norm.h"

#include "core/model/op_facts.h"
#include "core/quantize/points/weights.h"

#include <array>
#include <cmath>

namespace duo {
namespace {

constexpr float kDefaultEpsilon = 1e-5F; // ONNX BatchNormalization

float epsilonOf(const Node& norm)
{
    const Attribute* attribute = norm.attribute("epsilon");
    const auto* value = attribute != nullptr ? std::get_if<float>(&attribute->value) : nullptr;
    return value != nullptr ? *value : kDefaultEpsilon;
}

/// The BatchNormalization that alone reads the convolution's output.
NodeId onlyReader(const Model& model, const Node& conv)
{
    if (conv.outputs.empty() || !conv.outputs[0].valid())
        return {};
    const Value& output = model.value(conv.outputs[0]);
    if (output.isOutput || output.uses.size() != 1 || output.uses[0].port != 0)
        return {};
    const Node& reader = model.node(output.uses[0].node);
    const bool isNorm = reader.opType == "BatchNormalization" && reader.domain.empty() && reader.inputs.size() == 5
        && reader.region == conv.region && reader.intAttribute("training_mode", 0) == 0;
    return isNorm ? output.uses[0].node : NodeId{};
}

std::vector<float> constantVector(const Model& model, ValueId value)
{
    const Tensor* tensor = model.constant(behindIdentities(model, value));
    if (tensor == nullptr || tensor->type != ElementType::Float32 || tensor->dims.size() != 1)
        return {};
    return toFloats(*tensor);
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
    const Node& conv = model.node(id);
    if (!isProduct(conv, Product::Convolution))
        return std::nullopt;
    const bool hasBias = conv.inputs.size() > 2 && conv.inputs[2].valid();
    const NodeId norm = onlyReader(model, conv);
    if (!norm.valid() || hasOtherOutputs(model, model.node(norm))
        || (hasBias && constantVector(model, conv.inputs[2]).empty()))
        return std::nullopt;
    std::array<std::vector<float>, 4> parameters; // gamma, beta, mean, variance
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        parameters[i] = constantVector(model, model.node(norm).inputs[i + 1]);
        if (parameters[i].empty() || parameters[i].size() != parameters[0].size())
            return std::nullopt;
    }
    const auto& [gamma, beta, mean, variance] = parameters;
    const float epsilon = epsilonOf(model.node(norm));
    FoldedNorm folded{norm, {}, {}};
    for (std::size_t c = 0; c < gamma.size(); ++c) {
        folded.scale.push_back(gamma[c] / std::sqrt(variance[c] + epsilon));
        folded.shift.push_back(beta[c] - mean[c] * folded.scale.back());
    }
    return folded;
}

std::vector<float> effectiveBias(const Model& model, NodeId id)
{
    std::vector<float> bias;
    if (const auto place = biasOf(model, id))
        bias = constantVector(model, model.node(place->node).inputs[place->port]);
    const auto norm = foldableNorm(model, id);
    if (!norm)
        return bias;
    bias.resize(norm->scale.size(), 0.0F);
    for (std::size_t c = 0; c < bias.size(); ++c)
        bias[c] = bias[c] * norm->scale[c] + norm->shift[c];
    return bias;
}

} // namespace duo
