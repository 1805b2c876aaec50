// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/corrected_biases.h"

#include "core/interchange/code_numbers.h"
#include "core/model/held_tensors.h"
#include "core/model/tensor.h"
#include "core/quantize/points/weights.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace duo {
namespace {

/// A bias, and how far codes may have moved it.
struct Bias {
    std::vector<float> values;
    std::vector<float> steps; // one for all, or one each; of floats none
};

std::optional<Bias> biasAt(const Model& model, const Node& node, std::uint32_t port)
{
    if (port >= node.inputs.size() || !node.inputs[port].valid())
        return std::nullopt;
    if (const Tensor* constant = model.constant(behindIdentities(model, node.inputs[port])))
        return constant->type == ElementType::Float32 ? std::optional(Bias{toFloats(*constant), {}}) : std::nullopt;
    const NodeId producer = model.value(node.inputs[port]).producer;
    if (!producer.valid() || model.node(producer).opType != "DequantizeLinear")
        return std::nullopt;
    const Node& dequantizer = model.node(producer);
    const auto numbers = numbersAt(model, dequantizer, 0);
    const Tensor* scale = dequantizer.inputs.size() > 1 && dequantizer.inputs[1].valid()
        ? model.constant(dequantizer.inputs[1])
        : nullptr;
    if (!numbers || scale == nullptr || scale->type != ElementType::Float32)
        return std::nullopt;
    return Bias{numbers->values, toFloats(*scale)};
}

/// What is not explained by codes that are rounded to the next one.
std::optional<std::vector<float>> shiftOf(const Bias& corrected, const std::vector<float>& original)
{
    const std::size_t channels = original.size();
    if (corrected.values.size() != channels || (corrected.steps.size() > 1 && corrected.steps.size() != channels))
        return std::nullopt;
    constexpr float kRounded = 0.75F; // of a step
    constexpr float kSame = 1e-6F; // of a float
    std::vector<float> shift(channels);
    bool isShifted = false;
    for (std::size_t c = 0; c < channels; ++c) {
        shift[c] = corrected.values[c] - original[c];
        const float step = corrected.steps.empty() ? 0 : corrected.steps[corrected.steps.size() == 1 ? 0 : c];
        isShifted = isShifted || std::abs(shift[c]) > kRounded * step + kSame * std::abs(original[c]);
    }
    return isShifted ? std::optional(std::move(shift)) : std::nullopt;
}

} // namespace

BiasShifts correctedBiases(const Model& quantized, const Model& original, const QuantizerSetup& setup)
{
    BiasShifts shifts;
    for (const NodeId id : correctableNodes(original, setup)) {
        const auto added = addedBiasOf(original, id);
        const auto place = biasOf(original, id) ? biasOf(original, id) : added;
        const NodeId there = place ? quantized.findNode(original.node(place->node).name) : NodeId();
        if (!there.valid() || quantized.node(there).opType != original.node(place->node).opType)
            continue;
        const auto before = biasAt(original, original.node(place->node), place->port);
        const auto now = biasAt(quantized, quantized.node(there), place->port);
        if (!before || !now || before->values != biasToCorrect(original, id)) // a norm behind is a part of it
            continue;
        if (auto shift = shiftOf(*now, before->values))
            shifts.emplace(id, *std::move(shift));
    }
    return shifts;
}

} // namespace duo
