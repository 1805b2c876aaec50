// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/point_index.h"

namespace duo {
namespace {

std::uint64_t portKey(NodeId node, std::uint32_t port)
{
    return (static_cast<std::uint64_t>(node.index) << 32U) | port;
}

} // namespace

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
        if (output.valid())
            values.push_back(output);
    }
    return values;
}

ValueId pointValue(const Model& model, const QuantizationPoint& point)
{
    const auto values = pointValues(model, point);
    return values.empty() ? ValueId{} : values.front();
}

std::string pointText(const Model& model, const QuantizationPoint& point)
{
    return point.input.valid() ? "input '" + model.value(point.input).name + "'"
                               : "node '" + model.node(point.node).name + "'";
}

PointIndex::PointIndex(const Model& model, const QuantizerSetup& setup)
    : m_model(model)
{
    for (const auto& [id, point] : setup.points) {
        if (point.isWeight) {
            const ValueId read = pointValue(model, point);
            m_onPort.emplace(portKey(point.node, point.port.value_or(0)), id);
            for (const NodeId reader : point.directlyQuantized) {
                const auto& inputs = model.node(reader).inputs;
                for (std::size_t port = 0; port < inputs.size(); ++port) {
                    if (inputs[port] == read)
                        m_onPort.emplace(portKey(reader, static_cast<std::uint32_t>(port)), id);
                }
            }
        } else if (point.port && !point.input.valid()) {
            m_onPort.emplace(portKey(point.node, *point.port), id);
        } else {
            for (const ValueId value : pointValues(model, point))
                m_onValue.emplace(value, id);
        }
    }
}

std::optional<PointId> PointIndex::at(NodeId node, std::uint32_t port) const
{
    if (const auto own = m_onPort.find(portKey(node, port)); own != m_onPort.end())
        return own->second;
    const auto& inputs = m_model.node(node).inputs;
    return port < inputs.size() ? onValue(inputs[port]) : std::nullopt;
}

std::optional<PointId> PointIndex::onValue(ValueId value) const
{
    const auto found = m_onValue.find(value);
    return found == m_onValue.end() ? std::nullopt : std::optional(found->second);
}

} // namespace duo
