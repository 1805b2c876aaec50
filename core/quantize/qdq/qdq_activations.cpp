// SPDX-License-Identifier: Apache-2.0
// QdqWriter, part one: QuantizeLinear and DequantizeLinear pairs on activations, and barriers for ignored nodes.
#include "core/quantize/qdq/qdq_writer.h"
#include "core/support/bytes_of.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace duo {
namespace {

/// Nodes that ONNX Runtime drops before a QuantizeLinear or moves it across: what is ignored may hide behind them.
constexpr std::array<std::string_view, 9> kSeenThrough{
    "Relu", "Clip", "Identity", "Reshape", "Transpose", "Flatten", "Squeeze", "Unsqueeze", "MaxPool"};

bool isWide(ElementType type)
{
    return type == ElementType::Int16 || type == ElementType::UInt16;
}

std::vector<std::byte> bytesOfCodes(const std::vector<std::int32_t>& values, ElementType type)
{
    std::vector<std::byte> bytes;
    for (const std::int32_t value : values) {
        bytes.push_back(static_cast<std::byte>(value & 0xFF));
        if (isWide(type))
            bytes.push_back(static_cast<std::byte>((value >> 8) & 0xFF));
    }
    return bytes;
}

} // namespace

QdqWriter::QdqWriter(const Model& model, const QuantizerSetup& setup, const ParametersByPoint& parameters,
    const Decisions& decisions, const ProfileRules& rules, const BiasShifts& shifts)
    : m_model(model)
    , m_setup(setup)
    , m_parameters(parameters)
    , m_decisions(decisions)
    , m_rules(rules)
    , m_shifts(shifts)
    , m_index(model, setup)
    , m_names(model)
{
}

Status QdqWriter::writeActivations()
{
    for (const auto& [id, point] : m_setup.points) {
        if (point.isWeight)
            continue;
        const auto parameters = m_parameters.find(id);
        if (parameters == m_parameters.end())
            return Error{ErrorCode::BadState, "quantizer " + std::to_string(id) + " has no parameters",
                pointText(m_model, point), "calibrate again"};
        if (point.input.valid())
            writeModelInput(id, point.input, parameters->second);
        else
            DUO_CHECK(point.port ? writeInputPoint(id, point, parameters->second)
                                 : writeOutputPoint(id, point, parameters->second));
    }
    return success();
}

/// The node of the main graph that stands for a node inside a call or body.
NodeId QdqWriter::mainNode(NodeId node) const
{
    while (m_model.node(node).region != RegionId(0))
        node = m_model.region(m_model.node(node).region).owner;
    return node;
}

Status QdqWriter::writeOutputPoint(PointId id, const QuantizationPoint& point, const QuantizationParameters& parameters)
{
    for (const ValueId value : pointValues(m_model, point)) {
        const std::string& name = m_model.value(value).name;
        const NodeId producer = mainNode(point.node);
        const auto& outputs = m_model.node(producer).outputs;
        const auto port = std::find(outputs.begin(), outputs.end(), value);
        if (port == outputs.end())
            return Error{ErrorCode::Internal, "a quantizer on a value inside a function", name, "inline the function"};
        ActivationNames names{m_names.value(name + "_float"), m_names.value("q" + std::to_string(id)), name};
        m_result.edits.outputs.push_back(
            {producer, static_cast<std::uint32_t>(port - outputs.begin()), names.floating});
        addPair(id, value, names, parameters);
    }
    return success();
}

/// A model input keeps its name and stays float: its readers in the main graph are rewired instead.
void QdqWriter::writeModelInput(PointId id, ValueId value, const QuantizationParameters& parameters)
{
    ActivationNames names = namesBehind(id, value);
    addPair(id, value, names, parameters);
    for (const Use& use : m_model.value(value).uses) {
        if (m_model.node(use.node).region == RegionId(0))
            rewire(use.node, use.port, names.dequantized);
    }
}

Status QdqWriter::writeInputPoint(PointId id, const QuantizationPoint& point, const QuantizationParameters& parameters)
{
    const ValueId value = pointValue(m_model, point);
    if (!value.valid())
        return Error{ErrorCode::BadState, "node '" + m_model.node(point.node).name + "' has no such input",
            "input " + std::to_string(*point.port), "place quantizers again"};
    auto& pairs = m_pairs[value];
    auto same = std::find_if(pairs.begin(), pairs.end(), [&](const Pair& p) { return p.parameters == parameters; });
    if (same == pairs.end()) {
        ActivationNames names = namesBehind(id, value);
        addPair(id, value, names, parameters);
        pairs.push_back({parameters, names.dequantized});
        same = pairs.end() - 1;
    }
    const auto& inputs = m_model.node(point.node).inputs;
    for (std::uint32_t port = 0; port < inputs.size(); ++port) {
        if (inputs[port] == value)
            rewire(point.node, port, same->dequantized);
    }
    return success();
}

/// Names that tell the quantizer's id in the compression state; short ones, for a small model consists of names.
ActivationNames QdqWriter::namesBehind(PointId id, ValueId value)
{
    return {
        m_model.value(value).name, m_names.value("q" + std::to_string(id)), m_names.value("dq" + std::to_string(id))};
}

void QdqWriter::addPair(
    PointId id, ValueId value, const ActivationNames& names, const QuantizationParameters& parameters)
{
    const Value& original = m_model.value(value);
    const NodeId anchor = original.producer.valid() ? mainNode(original.producer) : NodeId{};
    const std::string number = std::to_string(id);
    std::string scale;
    std::string zeroPoint;
    addParameters(id, parameters, scale, zeroPoint);
    ActivationNames written = names;
    if (needsBarrier(value))
        written.kept = addBarrier(names.floating, value, anchor, anchor.valid());
    const std::string& source = written.kept.empty() ? names.floating : written.kept;
    const bool after = anchor.valid();
    const std::string domain = domainFor(parameters.type);
    m_result.edits.newNodes.push_back({m_names.node("Q" + number), "QuantizeLinear", domain, {source, scale, zeroPoint},
        {names.quantized}, axisAttribute(parameters), {}, anchor, after});
    m_result.edits.newNodes.push_back({m_names.node("DQ" + number), "DequantizeLinear", domain,
        {names.quantized, scale, zeroPoint}, {names.dequantized}, axisAttribute(parameters), {}, anchor, after});
    m_result.activations.emplace(value, written);
}

/// Of QuantizeLinear and DequantizeLinear.
std::vector<Attribute> QdqWriter::axisAttribute(const QuantizationParameters& parameters)
{
    if (!parameters.axis)
        return {};
    return {{"axis", *parameters.axis}};
}

void QdqWriter::addParameters(
    PointId id, const QuantizationParameters& parameters, std::string& scale, std::string& zeroPoint)
{
    std::vector<std::int64_t> dims;
    if (parameters.axis)
        dims.push_back(static_cast<std::int64_t>(parameters.scale.size()));
    scale = m_names.value("scale" + std::to_string(id));
    m_result.edits.newTensors.push_back({scale, ElementType::Float32, dims, bytesOf(parameters.scale)});
    zeroPoint = zeroPointOf(parameters);
}

/// Equal zero points are stored once.
std::string QdqWriter::zeroPointOf(const QuantizationParameters& parameters)
{
    const bool isVector = parameters.axis.has_value();
    auto& name = m_zeroPoints[{parameters.type, isVector, parameters.zeroPoint}];
    if (!name.empty())
        return name;
    name = m_names.value(isVector ? "zero_points_" + std::to_string(parameters.zeroPoint.size())
                                  : "zero_point_" + std::to_string(parameters.zeroPoint.front()));
    std::vector<std::int64_t> dims;
    if (isVector)
        dims.push_back(static_cast<std::int64_t>(parameters.zeroPoint.size()));
    m_result.edits.newTensors.push_back(
        {name, parameters.type, dims, bytesOfCodes(parameters.zeroPoint, parameters.type)});
    return name;
}

bool QdqWriter::staysFloat(NodeId node) const
{
    const NodeState state = m_decisions[node.index].state;
    return state == NodeState::Ignored || state == NodeState::IgnoredInherited || state == NodeState::Preset;
}

std::string QdqWriter::domainFor(ElementType type)
{
    constexpr std::int64_t kFirstWideOpset = 21;
    if (!isWide(type) || m_model.opset() >= kFirstWideOpset)
        return {};
    if (m_result.edits.opsets.empty())
        m_result.edits.opsets.emplace_back("com.microsoft", 1);
    return "com.microsoft";
}

bool QdqWriter::needsBarrier(ValueId value) const
{
    if (!m_rules.usesOrtCpuKernels)
        return false;
    for (NodeId producer = m_model.value(value).producer; producer.valid();) {
        if (staysFloat(producer))
            return true;
        const Node& node = m_model.node(producer);
        const bool through = std::find(kSeenThrough.begin(), kSeenThrough.end(), node.opType) != kSeenThrough.end();
        if (!through || node.inputs.empty() || !node.inputs[0].valid() || m_index.at(producer, 0))
            return false;
        producer = m_model.value(node.inputs[0]).producer;
    }
    return false;
}

std::string QdqWriter::addBarrier(const std::string& input, ValueId value, NodeId anchor, bool after)
{
    const std::string& name = m_model.value(value).name;
    const std::string output = m_names.value(name + "_kept_float");
    m_result.edits.newNodes.push_back({m_names.node(name + "_KeepFloat"), "LeakyRelu", {}, {input}, {output},
        {{"alpha", 1.0F}}, {{"duoscope.role", "float-barrier"}}, anchor, after});
    if (const NodeId producer = m_model.value(value).producer; producer.valid())
        m_result.barriers.push_back(producer);
    return output;
}

bool QdqWriter::isDequantized(NodeId node, std::uint32_t port) const
{
    return m_index.at(node, port).has_value();
}

void QdqWriter::keepIgnoredInFloat()
{
    if (!m_rules.usesOrtCpuKernels)
        return;
    for (const NodeId id : m_model.mainGraph().nodes) {
        const Node& node = m_model.node(id);
        const bool product = node.opType == "MatMul" || node.opType == "Gemm";
        if (!product || !staysFloat(id) || node.inputs.size() < 2 || !isDequantized(id, 0) || !isDequantized(id, 1))
            continue; // a product of two dequantized values runs in int8 even without a QuantizeLinear behind it
        const ValueId read = node.inputs[0];
        rewire(id, 0, addBarrier(m_model.value(read).name, read, id, false));
    }
}

void QdqWriter::rewire(NodeId node, std::uint32_t port, const std::string& value)
{
    m_result.edits.inputs.push_back({node, port, value});
    m_rewired.emplace(node, port);
}

} // namespace duo
