// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/edits/own_weights.h"

#include "core/model/op_facts.h"

namespace duo {

std::optional<std::size_t> channelAxis(const Node& node, const std::vector<std::int64_t>& dims, Side side)
{
    const auto layout = weightLayout(node, 1, dims.size());
    const bool sumsRows = isProduct(node, Product::Matrix) && dims.size() == 2 && inputChannelAxis(node) == -1
        && outputChannelAxis(node) == -1;
    if (!layout || !(sumsRows || (isProduct(node, Product::Convolution) && dims.size() >= 3)))
        return std::nullopt;
    if (side == Side::Output || layout->groups == 1)
        return side == Side::Output ? layout->output : layout->input;
    const bool isDepthwise = dims[1] == 1 && dims[0] == layout->groups;
    return isDepthwise ? layout->output : std::nullopt;
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
