// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/file_codes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace duo {
namespace {

const Tensor* constantAt(const Model& model, const Node& node, std::size_t port)
{
    return port < node.inputs.size() && node.inputs[port].valid() ? model.constant(node.inputs[port]) : nullptr;
}

/// Smallest and largest code of a type; nothing for types other than integers of 8 or 16 bits.
std::optional<std::pair<float, float>> codeRange(ElementType type)
{
    switch (type) {
    case ElementType::UInt8:
        return std::pair(0.0F, 255.0F);
    case ElementType::Int8:
        return std::pair(-128.0F, 127.0F);
    case ElementType::UInt16:
        return std::pair(0.0F, 65535.0F);
    case ElementType::Int16:
        return std::pair(-32768.0F, 32767.0F);
    default:
        return std::nullopt;
    }
}

} // namespace

bool convertsCodes(const Model& model, const Node& node)
{
    if (node.opType != "QuantizeLinear" && node.opType != "DequantizeLinear")
        return false;
    const Tensor* scale = constantAt(model, node, 1);
    const bool hasZeroPoint = node.inputs.size() > 2 && node.inputs[2].valid();
    const Tensor* zeroPoint = constantAt(model, node, 2);
    const ElementType codes = zeroPoint != nullptr ? zeroPoint->type : ElementType::UInt8;
    const bool isKnown = node.opType == "DequantizeLinear" || codeRange(codes).has_value();
    return scale != nullptr && scale->type == ElementType::Float32 && hasZeroPoint == (zeroPoint != nullptr) && isKnown
        && node.intAttribute("block_size", 0) == 0;
}

Status convertInPlace(
    std::vector<float>& values, std::span<const std::int64_t> dims, const Model& model, const Node& node)
{
    const std::vector<float> scales = toFloats(*constantAt(model, node, 1));
    const Tensor* zeroPoint = constantAt(model, node, 2);
    const std::vector<float> zeros
        = zeroPoint != nullptr ? toFloats(*zeroPoint) : std::vector<float>(scales.size(), 0.0F);
    const auto rank = static_cast<std::int64_t>(dims.size());
    const std::int64_t given = node.intAttribute("axis", 1);
    const std::int64_t axis = given < 0 ? given + rank : given;
    const bool isPerTensor = scales.size() == 1;
    const bool fits = isPerTensor
        || (axis >= 0 && axis < rank
            && static_cast<std::int64_t>(scales.size()) == dims[static_cast<std::size_t>(axis)]);
    if (!fits || zeros.size() != scales.size())
        return Error{ErrorCode::MalformedModel, "its scales do not fit the weight it reads", "node '" + node.name + "'",
            "export the model again"};
    std::size_t inner = 1; // elements that follow each other with one scale
    for (std::int64_t i = axis + 1; !isPerTensor && i < rank; ++i)
        inner *= static_cast<std::size_t>(dims[static_cast<std::size_t>(i)]);
    const bool toCodes = node.opType == "QuantizeLinear";
    const auto [low, high]
        = codeRange(zeroPoint != nullptr ? zeroPoint->type : ElementType::UInt8).value_or(std::pair(0.0F, 0.0F));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t channel = isPerTensor ? 0 : i / inner % scales.size();
        values[i] = toCodes ? std::clamp(std::nearbyint(values[i] / scales[channel]) + zeros[channel], low, high)
                            : (values[i] - zeros[channel]) * scales[channel];
    }
    return success();
}

} // namespace duo
