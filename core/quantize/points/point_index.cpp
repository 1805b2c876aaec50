// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/point_index.h"

#include <algorithm>

namespace duo {
std::vector<ValueId> pointValues(const Model& model, const QuantizationPoint& point)
{
    if (point.input.valid())
        return {point.input};
    const Node& node = model.node(point.node);
    if (point.port) {
        const bool exists = *point.port < node.inputs.size() && node.inputs[*point.port].valid();
        return exists ? std::vector{node.inputs[*point.port]} : std::vector<ValueId>{};
    }
    std::vector<ValueId> values;
    for (const ValueId output : node.outputs) {
        if (!output.valid())
            continue;
        const Value& value = model.value(output);
        const bool isFloat = value.type.element == ElementType::Float32 || value.type.element == ElementType::Undefined;
        const bool isRead = !value.uses.empty() || value.isOutput || node.outputs.size() == 1;
        if (isFloat && isRead)
            values.push_back(output);
    }
    return values;
}

ValueId pointValue(const Model& model, const QuantizationPoint& point)
{
    if (point.input.valid())
        return point.input;
    const Node& node = model.node(point.node);
    if (point.port)
        return *point.port < node.inputs.size() ? node.inputs[*point.port] : ValueId{};
    const auto output
        = std::find_if(node.outputs.begin(), node.outputs.end(), [](ValueId value) { return value.valid(); });
    return output == node.outputs.end() ? ValueId{} : *output;
}

std::string pointText(const Model& model, const QuantizationPoint& point)
{
    return point.input.valid() ? "input '" + model.value(point.input).name + "'"
                               : "node '" + model.node(point.node).name + "'";
}

PointPlace placeOf(const QuantizationPoint& point)
{
    return {point.node, point.input, point.port, point.isWeight};
}

bool crossesBorder(const Model& model, NodeId reader, ValueId value)
{
    if (model.regions.size() == 1)
        return false;
    const RegionId region = model.node(reader).region;
    return region != model.value(value).region && !model.region(region).attribute.empty();
}

PointIndex::PointIndex(const Model& model, const QuantizerSetup& setup)
    : m_model(model)
    , m_onValue(model.values.size(), kNone)
{
    m_firstPort.reserve(model.nodes.size() + 1);
    m_firstPort.push_back(0);
    for (const Node& node : model.nodes)
        m_firstPort.push_back(m_firstPort.back() + static_cast<std::uint32_t>(node.inputs.size()));
    m_onPort.assign(m_firstPort.back(), kNone);
    const auto putOnValue = [this](ValueId value, PointId id) {
        if (value.valid() && m_onValue[value.index] == kNone)
            m_onValue[value.index] = id;
    };
    for (const auto& [id, point] : setup.points) {
        if (point.isWeight) {
            const ValueId read = pointValue(model, point);
            put(point.node, point.port.value_or(0), id);
            for (const NodeId reader : point.directlyQuantized) {
                const auto& inputs = model.node(reader).inputs;
                for (std::size_t port = 0; port < inputs.size(); ++port) {
                    if (inputs[port] == read)
                        put(reader, static_cast<std::uint32_t>(port), id);
                }
            }
        } else if (point.input.valid()) {
            putOnValue(point.input, id);
        } else if (point.port) {
            put(point.node, *point.port, id);
        } else {
            for (const ValueId value : model.node(point.node).outputs)
                putOnValue(value, id);
        }
    }
}

/// The first point at a port counts.
void PointIndex::put(NodeId node, std::uint32_t port, PointId id)
{
    const std::uint32_t first = m_firstPort[node.index];
    if (port < m_firstPort[node.index + 1] - first && m_onPort[first + port] == kNone)
        m_onPort[first + port] = id;
}

std::optional<PointId> PointIndex::at(NodeId node, std::uint32_t port) const
{
    const std::uint32_t first = m_firstPort[node.index];
    if (port >= m_firstPort[node.index + 1] - first)
        return std::nullopt;
    const PointId own = m_onPort[first + port];
    if (own != kNone)
        return own;
    const ValueId read = m_model.node(node).inputs[port];
    return read.valid() && !crossesBorder(m_model, node, read) ? onValue(read) : std::nullopt;
}

std::optional<PointId> PointIndex::onValue(ValueId value) const
{
    return !value.valid() || m_onValue[value.index] == kNone ? std::nullopt : std::optional(m_onValue[value.index]);
}

std::optional<PointId> PointIndex::onValueOrRead(ValueId value) const
{
    std::optional<PointId> point = onValue(value);
    for (const Use& use : m_model.value(value).uses) {
        if (point)
            break;
        point = at(use.node, use.port);
    }
    return point;
}

} // namespace duo
