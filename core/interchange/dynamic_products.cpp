// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/dynamic_products.h"

#include "core/model/code_operators.h"
#include "core/model/node_inputs.h"
#include "core/model/op_facts.h"

#include <algorithm>
#include <variant>

namespace duo {
namespace {

/// The only node that reads a value which is no output; invalid where there are more, or none.
NodeId onlyReader(const Model& model, ValueId id)
{
    const Value& value = model.value(id);
    return value.uses.size() == 1 && !value.isOutput ? value.uses.front().node : NodeId();
}

bool givesOne(const Node& node)
{
    return !node.outputs.empty() && node.outputs[0].valid();
}

NodeId readerOf(const Model& model, const Node& node, const char* opType)
{
    const NodeId reader = givesOne(node) ? onlyReader(model, node.outputs[0]) : NodeId();
    return reader.valid() && isAnyOf(model.node(reader), {opType}) && givesOne(model.node(reader)) ? reader : NodeId();
}

/// Of the two that `node` multiplies, the one that is not `one`.
ValueId otherFactor(const Node& node, ValueId one)
{
    if (node.inputs.size() != 2 || !node.inputs[0].valid() || !node.inputs[1].valid())
        return {};
    return node.inputs[0] == one ? node.inputs[1] : node.inputs[1] == one ? node.inputs[0] : ValueId();
}

/// The DynamicQuantizeLinear that a product takes its data from.
NodeId quantizerOf(const Model& model, const Node& product)
{
    const ValueId codes = inputAt(product, 0);
    const NodeId id = codes.valid() ? model.value(codes).producer : NodeId();
    if (!id.valid() || !isAnyOf(model.node(id), {"DynamicQuantizeLinear"}))
        return {};
    const Node& node = model.node(id);
    const bool isWhole
        = node.outputs.size() == 3 && node.outputs[0] == codes && node.outputs[1].valid() && inputAt(node, 0).valid();
    return isWhole ? id : NodeId();
}

/// ONNX Runtime's operators, which have the scales among their inputs.
std::optional<DynamicProduct> ofOneNode(const Model& model, const Node& node, const CodeFacts& weight)
{
    constexpr std::uint32_t kBiasOfMatMul = 4;
    constexpr std::uint32_t kBiasToFloat = 6;
    constexpr std::uint32_t kScaleToFloat = 2;
    if (!weight.scale || !givesOne(node))
        return std::nullopt;
    DynamicProduct product;
    product.weightScale = constantAt(model, node, *weight.scale);
    product.result = node.outputs[0];
    const bool isToFloat = node.opType == "MatMulIntegerToFloat";
    const std::uint32_t bias = isToFloat ? kBiasToFloat : kBiasOfMatMul;
    if (inputAt(node, bias).valid())
        product.bias = bias;
    if (isToFloat) {
        product.quantizer = quantizerOf(model, node);
        if (!product.quantizer.valid() || inputAt(node, kScaleToFloat) != model.node(product.quantizer).outputs[1])
            return std::nullopt;
    }
    product.data = product.quantizer.valid() ? model.node(product.quantizer).inputs[0] : inputAt(node, 0);
    return product;
}

/// ONNX's operators, whose sums other nodes scale.
std::optional<DynamicProduct> ofChain(const Model& model, const Node& node)
{
    DynamicProduct product;
    product.quantizer = quantizerOf(model, node);
    const NodeId cast = readerOf(model, node, "Cast");
    const NodeId scaled = cast.valid() ? readerOf(model, model.node(cast), "Mul") : NodeId();
    if (!product.quantizer.valid() || !scaled.valid())
        return std::nullopt;
    const Node& quantizer = model.node(product.quantizer);
    const ValueId scales = otherFactor(model.node(scaled), model.node(cast).outputs[0]);
    product.scaleProduct = scales.valid() ? model.value(scales).producer : NodeId();
    if (!product.scaleProduct.valid() || !isAnyOf(model.node(product.scaleProduct), {"Mul"}))
        return std::nullopt;
    const ValueId weightScale = otherFactor(model.node(product.scaleProduct), quantizer.outputs[1]);
    product.weightScale = weightScale.valid() ? model.constant(weightScale) : nullptr;
    product.data = quantizer.inputs[0];
    product.result = model.node(scaled).outputs[0];
    product.behind = {cast, scaled};
    return product;
}

} // namespace

bool canBeCopied(const Node& node)
{
    return std::ranges::none_of(node.attributes, [](const Attribute& attribute) {
        return std::holds_alternative<std::monostate>(attribute.value)
            || std::holds_alternative<TensorId>(attribute.value);
    });
}

bool isDynamicLstm(const Node& node)
{
    return node.opType == "DynamicQuantizeLSTM";
}

std::optional<DynamicProduct> dynamicProduct(const Model& model, NodeId id)
{
    const Node& node = model.node(id);
    const auto weight = codeFactsAt(node, 1);
    if (!weight || codeOperator(node) || constantAt(model, node, 1) == nullptr || !canBeCopied(node))
        return std::nullopt;
    auto product
        = isAnyOf(node, {"MatMulInteger", "ConvInteger"}) ? ofChain(model, node) : ofOneNode(model, node, *weight);
    if (!product || product->weightScale == nullptr || !product->data.valid())
        return std::nullopt;
    const auto isOutside = [&](NodeId other) {
        return other.valid() && (model.isInFunction(model.node(other)) || model.node(other).region != node.region);
    };
    const bool isTorn = isOutside(product->quantizer) || isOutside(product->scaleProduct)
        || std::ranges::any_of(product->behind, isOutside);
    return isTorn ? std::nullopt : product;
}

} // namespace duo
