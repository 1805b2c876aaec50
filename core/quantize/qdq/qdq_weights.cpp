// SPDX-License-Identifier: Apache-2.0
// QdqWriter, part two: int8 weights, int32 biases, and what nobody reads any more.
#include "core/quantize/points/weights.h"
#include "core/quantize/qdq/qdq_writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace duo {
namespace {

std::vector<std::byte> bytesOfInts(const std::vector<std::int32_t>& values)
{
    std::vector<std::byte> bytes(values.size() * sizeof(std::int32_t));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::vector<Attribute> axisAttribute(const QuantizationParameters& parameters)
{
    if (!parameters.axis)
        return {};
    return {{"axis", *parameters.axis}};
}

bool takesInt32Bias(const Node& node)
{
    if (node.inputs.size() < 3 || !node.inputs[2].valid())
        return false;
    if (node.opType == "Conv")
        return true;
    const auto isOne = [&](const char* name) {
        const Attribute* attribute = node.attribute(name);
        const auto* value = attribute != nullptr ? std::get_if<float>(&attribute->value) : nullptr;
        return value == nullptr || *value == 1.0F;
    };
    return node.opType == "Gemm" && isOne("alpha") && isOne("beta");
}

} // namespace

Status QdqWriter::writeWeights()
{
    for (const auto& [id, point] : m_setup.points) {
        if (!point.isWeight)
            continue;
        DUO_CHECK(writeWeight(id, point));
    }
    return success();
}

Status QdqWriter::writeWeight(PointId id, const QuantizationPoint& point)
{
    const auto parameters = m_parameters.find(id);
    if (parameters == m_parameters.end())
        return Error{ErrorCode::BadState, "quantizer " + std::to_string(id) + " has no parameters",
            pointText(m_model, point), "calibrate again"};
    const std::uint32_t port = point.port.value_or(0);
    const ValueId source = behindIdentities(m_model, point.node, port);
    const auto [first, last] = m_weights.equal_range(source);
    auto stored
        = std::find_if(first, last, [&](const auto& entry) { return entry.second.parameters == parameters->second; });
    if (stored == last) {
        DUO_TRY(made, storeWeight(id, point, parameters->second));
        stored = m_weights.emplace(source, std::move(made));
    }

    const ValueId read = m_model.node(point.node).inputs[port];
    std::vector<NodeId> readers = point.directlyQuantized;
    if (std::find(readers.begin(), readers.end(), point.node) == readers.end())
        readers.push_back(point.node);
    for (const NodeId reader : readers) {
        const auto& inputs = m_model.node(reader).inputs;
        for (std::uint32_t p = 0; p < inputs.size(); ++p) {
            if (inputs[p] == read)
                rewire(reader, p, stored->second.dequantized);
        }
        m_result.quantizedWeights[reader].push_back(stored->second.quantized);
        DUO_CHECK(writeBias(reader, parameters->second));
    }
    return success();
}

Result<QdqWriter::StoredWeight> QdqWriter::storeWeight(
    PointId id, const QuantizationPoint& point, const QuantizationParameters& parameters)
{
    DUO_TRY(weight, readWeight(m_model, point.node, point.port.value_or(0)));
    const std::size_t channels = parameters.axis && static_cast<std::size_t>(*parameters.axis) < weight.dims.size()
        ? static_cast<std::size_t>(weight.dims[static_cast<std::size_t>(*parameters.axis)])
        : 1;
    if (parameters.scale.size() != channels || parameters.zeroPoint.size() != channels)
        return Error{ErrorCode::BadState,
            "quantizer " + std::to_string(id) + " has " + std::to_string(parameters.scale.size())
                + " scales for a weight of " + std::to_string(channels) + " channels",
            "weight '" + weight.name + "'", "calibrate again"};
    StoredWeight stored{
        parameters, m_names.value(weight.name + "_quantized"), m_names.value(weight.name + "_dequantized")};
    std::string scale;
    std::string zeroPoint;
    addParameters(weight.name, parameters, scale, zeroPoint);
    m_result.edits.newTensors.push_back(
        {stored.quantized, parameters.type, weight.dims, quantizedCodes(weight, parameters)});
    m_result.int8Elements += static_cast<std::int64_t>(weight.values.size());
    m_result.edits.newNodes.push_back({m_names.node(weight.name + "_DequantizeLinear"), "DequantizeLinear", {},
        {stored.quantized, scale, zeroPoint}, {stored.dequantized}, axisAttribute(parameters), {}, {}, false});
    return stored;
}

Status QdqWriter::writeBias(NodeId id, const QuantizationParameters& weight)
{
    const Node& node = m_model.node(id);
    const auto inputPoint = m_index.at(id, 0);
    if (!takesInt32Bias(node) || !inputPoint || m_setup.points.at(*inputPoint).isWeight)
        return success();
    const Tensor* bias = m_model.constant(node.inputs[2]);
    const auto input = m_parameters.find(*inputPoint);
    if (bias == nullptr || bias->type != ElementType::Float32 || bias->dims.size() != 1 || input == m_parameters.end())
        return success();
    const auto values = toFloats(*bias);
    if (weight.scale.size() != 1 && weight.scale.size() != values.size())
        return success();

    QuantizationParameters parameters{ElementType::Int32, {}, {}, std::nullopt};
    std::vector<std::int32_t> codes(values.size());
    for (const float scale : weight.scale)
        parameters.scale.push_back(scale * input->second.scale.front());
    if (weight.axis)
        parameters.axis = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double scale = parameters.scale[weight.scale.size() == 1 ? 0 : i];
        codes[i]
            = static_cast<std::int32_t>(std::clamp(std::nearbyint(values[i] / scale), -2147483647.0, 2147483647.0));
    }
    const std::string& name = m_model.value(node.inputs[2]).name;
    const std::string quantized = m_names.value(name + "_quantized");
    const std::string dequantized = m_names.value(name + "_dequantized");
    std::vector<std::int64_t> scaleDims;
    if (parameters.axis)
        scaleDims.push_back(static_cast<std::int64_t>(parameters.scale.size()));
    const std::string scale = m_names.value(name + "_scale");
    std::vector<std::byte> scaleBytes(parameters.scale.size() * sizeof(float));
    std::memcpy(scaleBytes.data(), parameters.scale.data(), scaleBytes.size());
    m_result.edits.newTensors.push_back({scale, ElementType::Float32, scaleDims, std::move(scaleBytes)});
    m_result.edits.newTensors.push_back({quantized, ElementType::Int32, bias->dims, bytesOfInts(codes)});
    m_result.edits.newNodes.push_back({m_names.node(name + "_DequantizeLinear"), "DequantizeLinear", {},
        {quantized, scale}, {dequantized}, axisAttribute(parameters), {}, {}, false});
    rewire(id, 2, dequantized);
    return success();
}

/// Constants, and the Identity, Transpose and Constant nodes behind them, that lost their last reader.
void QdqWriter::removeUnread()
{
    std::vector<ValueId> open;
    for (const auto& [node, port] : m_rewired)
        open.push_back(m_model.node(node).inputs[port]);
    std::set<ValueId> done;
    while (!open.empty()) {
        const ValueId id = open.back();
        open.pop_back();
        const Value& value = m_model.value(id);
        const bool read = std::any_of(value.uses.begin(), value.uses.end(), [&](const Use& use) {
            return !m_rewired.contains({use.node, use.port});
        });
        if (read || value.isOutput || value.isInput || !done.insert(id).second)
            continue;
        if (value.initializer.valid() && value.region == RegionId(0)) {
            m_result.edits.removedTensors.push_back(value.name);
        } else if (value.producer.valid()
            && weightSource(m_model, value.uses.front().node, value.uses.front().port).valid()
            && m_model.node(value.producer).region == RegionId(0)) {
            const Node& producer = m_model.node(value.producer);
            m_result.edits.removedNodes.push_back(value.producer);
            for (std::uint32_t port = 0; port < producer.inputs.size(); ++port) {
                m_rewired.emplace(value.producer, port);
                if (producer.inputs[port].valid())
                    open.push_back(producer.inputs[port]);
            }
        }
    }
    std::sort(m_result.edits.removedTensors.begin(), m_result.edits.removedTensors.end());
    std::sort(m_result.edits.removedNodes.begin(), m_result.edits.removedNodes.end());
}

void QdqWriter::nameNodes()
{
    for (const NodeId id : m_model.mainGraph().nodes) {
        if (!m_model.node(id).origin.hadName)
            m_result.edits.nodeNames.emplace_back(id, m_model.node(id).name);
    }
}

} // namespace duo
