// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/edits/fold_scales.h"

#include "core/model/op_facts.h"
#include "core/quantize/edits/own_weights.h"
#include "core/quantize/points/weights.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>

namespace duo {
namespace {

enum class Place { Second, Last }; // of the channels among a value's axes

/// The scalar at an input; `otherwise` where there is none, nothing where it is not known.
std::optional<float> bound(const Model& model, NodeId id, std::uint32_t port, float otherwise)
{
    const Node& node = model.node(id);
    if (port >= node.inputs.size() || !node.inputs[port].valid())
        return otherwise;
    const Tensor* tensor = model.constant(node.inputs[port]);
    if (tensor == nullptr || tensor->type != ElementType::Float32)
        return std::nullopt;
    const auto values = toFloats(*tensor);
    return values.size() == 1 ? std::optional(values[0]) : std::nullopt;
}

/// Not a Clip of old opsets, whose bounds are attributes.
bool isClipToPositive(const Model& model, NodeId id)
{
    const Node& node = model.node(id);
    return isAnyOf(node, {"Clip"}) && node.attributes.empty() && bound(model, id, 1, -INFINITY) == 0.0F
        && bound(model, id, 2, INFINITY) == INFINITY;
}

/// Only the nodes of `sorted` read the value, at input 0.
bool isReadBy(const Value& value, const std::vector<NodeId>& sorted)
{
    return value.region == RegionId(0) && !value.isOutput && std::ranges::all_of(value.uses, [&](const Use& use) {
        return use.port == 0 && std::ranges::binary_search(sorted, use.node);
    });
}

bool isReadOnce(const Value& value)
{
    return value.region == RegionId(0) && !value.isOutput && value.uses.size() == 1;
}

class FoldSearch
{
public:
    FoldSearch(const Model& model, std::size_t channels, Place place)
        : m_model(model)
        , m_channels(channels)
        , m_place(place)
    {
    }

    std::optional<ScaledProducer> above(ValueId value)
    {
        while (true) {
            const Value& now = m_model.value(value);
            const NodeId id = now.producer;
            if (!id.valid() || now.producerPort != 0 || m_model.node(id).region != RegionId(0))
                return std::nullopt;
            if (takesAsProducer(id))
                return std::move(m_found);
            const auto port = portAbove(id);
            if (!port)
                return std::nullopt;
            value = m_model.node(id).inputs[*port];
            if (!value.valid() || !isReadOnce(m_model.value(value)))
                return std::nullopt;
        }
    }

private:
    /// The input whose channels become those of the output as they are; Add's constant is taken along.
    std::optional<std::uint32_t> portAbove(NodeId id)
    {
        const Node& node = m_model.node(id);
        if (node.inputs.empty())
            return std::nullopt;
        const bool isGlobal = isAnyOf(node, {"GlobalAveragePool", "GlobalMaxPool"});
        const bool keepsFactors = has(node, mark::kKeepsFactors) && !isGlobal;
        if ((keepsFactors && !has(node, mark::kPools)) || isClipToPositive(m_model, id))
            return 0;
        // Below an Add, whose constant may have been spread over the channels, they need not lie as they do above it.
        const bool isBare = m_found.tensors.empty();
        if (isBare && isGlobal) {
            m_place = Place::Second; // [N, C, 1, 1]: the second axis counts as the last one does
            return 0;
        }
        if (m_place == Place::Second)
            return keepsFactors ? std::optional<std::uint32_t>(0) : std::nullopt;
        // Rows of as many elements stay rows, whatever the axes before them become.
        if (isBare && has(node, mark::kReshapes))
            return 0;
        const auto constant = isAnyOf(node, {"Add"}) ? rowPort(node) : std::nullopt;
        return constant ? std::optional(1 - *constant) : std::nullopt;
    }

    bool takesAsProducer(NodeId id)
    {
        const Node& node = m_model.node(id);
        m_found.node = id;
        const bool isSecond = isProduct(node, Product::Convolution) || isAnyOf(node, {"BatchNormalization"});
        const Place given = isSecond ? Place::Second : Place::Last;
        if (given != m_place)
            return false;
        if (isFloatProduct(node) && !isProduct(node, Product::TransposedConvolution))
            return takes(node, 1, Side::Output) && takesVectorOrNothing(node, 2);
        if (isAnyOf(node, {"LayerNormalization", "BatchNormalization"}))
            return takesVector(node, 1) && takesVectorOrNothing(node, 2);
        return isAnyOf(node, {"Mul"}) && rowPort(node).has_value();
    }

    bool takes(const Node& node, std::uint32_t port, Side side)
    {
        const Tensor* weight = ownTensor(m_model, node, port);
        const auto axis = weight == nullptr ? std::nullopt : channelAxis(node, weight->dims, side);
        return axis && add(weight, *axis);
    }

    bool takesVector(const Node& node, std::uint32_t port)
    {
        const Tensor* vector = ownTensor(m_model, node, port);
        return vector != nullptr && vector->dims.size() == 1 && add(vector, 0);
    }

    bool takesVectorOrNothing(const Node& node, std::uint32_t port)
    {
        return port >= node.inputs.size() || !node.inputs[port].valid() || takesVector(node, port);
    }

    /// The input that is a constant with the channels last.
    std::optional<std::uint32_t> rowPort(const Node& node)
    {
        for (std::uint32_t port = 0; node.inputs.size() == 2 && port < 2; ++port) {
            const Tensor* row = ownTensor(m_model, node, port);
            if (row != nullptr && !row->dims.empty() && add(row, row->dims.size() - 1))
                return port;
        }
        return std::nullopt;
    }

    bool add(const Tensor* tensor, std::size_t axis)
    {
        if (static_cast<std::size_t>(tensor->dims[axis]) != m_channels)
            return false;
        m_found.tensors.push_back({tensor, axis});
        return true;
    }

    const Model& m_model;
    std::size_t m_channels;
    Place m_place;
    ScaledProducer m_found;
};

} // namespace

std::optional<ScaledProducer> scaledProducer(
    const Model& model, ValueId value, const std::vector<NodeId>& readers, std::size_t channels)
{
    const auto isConv = [&](NodeId id) { return isProduct(model.node(id), Product::Convolution); };
    const auto convolutions = static_cast<std::size_t>(std::ranges::count_if(readers, isConv));
    std::vector<NodeId> sorted = readers;
    std::ranges::sort(sorted);
    if ((convolutions != 0 && convolutions != readers.size()) || !isReadBy(model.value(value), sorted))
        return std::nullopt;
    return FoldSearch(model, channels, convolutions != 0 ? Place::Second : Place::Last).above(value);
}

} // namespace duo
