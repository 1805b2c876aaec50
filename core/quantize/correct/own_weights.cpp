// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/correct/own_weights.h"

namespace duo {

std::optional<std::size_t> channelAxis(const Node& node, const std::vector<std::int64_t>& dims, Side side)
{
    if (node.opType == "Conv" && dims.size() >= 3) {
        if (side == Side::Output)
            return 0;
        const std::int64_t groups = node.intAttribute("group", 1);
        if (groups == 1)
            return 1;
        const bool isDepthwise = dims[1] == 1 && dims[0] == groups;
        return isDepthwise ? std::optional<std::size_t>(0) : std::nullopt;
    }
    if (dims.size() != 2)
        return std::nullopt;
    if (node.opType == "MatMul")
        return side == Side::Input ? 0 : 1;
    const bool isPlain = node.opType == "Gemm" && node.intAttribute("transA", 0) == 0;
    if (!isPlain)
        return std::nullopt;
    const bool isTransposed = node.intAttribute("transB", 0) != 0;
    return (side == Side::Input) != isTransposed ? 0 : 1;
}

const Tensor* ownTensor(const Model& model, const Node& node, std::uint32_t port)
{
    if (!node.domain.empty() || port >= node.inputs.size() || !node.inputs[port].valid())
        return nullptr;
    const Value& value = model.value(node.inputs[port]);
    const bool isOwn = value.initializer.valid() && value.region == RegionId(0) && value.uses.size() == 1
        && !value.isInput && !value.isOutput;
    const Tensor* tensor = isOwn ? model.constant(node.inputs[port]) : nullptr;
    return tensor != nullptr && tensor->type == ElementType::Float32 ? tensor : nullptr;
}

} // namespace duo
