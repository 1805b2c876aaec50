// SPDX-License-Identifier: Apache-2.0
// QdqWriter, part one: QuantizeLinear and DequantizeLinear pairs on activations.
#include "core/model/op_facts.h"
#include "core/quantize/edits/qdq_writer.h"
#include "core/quantize/points/compressed.h"
#include "core/support/bytes_of.h"

#include <algorithm>

namespace duo {
namespace {

bool isWide(ElementType type)
{
    return type == ElementType::Int16 || type == ElementType::UInt16;
}

} // namespace

QdqWriter::QdqWriter(const Model& model, const QuantizerSetup& setup, const ParametersByPoint& parameters,
    const Decisions& decisions, const Target& target, const BiasShifts& shifts, EditList passed)
    : m_model(model)
    , m_setup(setup)
    , m_parameters(parameters)
    , m_decisions(decisions)
    , m_target(target)
    , m_shifts(shifts)
    , m_index(model, setup)
    , m_ranks(model)
    , m_names(model)
{
    m_result.edits = std::move(passed);
    for (const NodeId node : m_result.edits.removedNodes) {
        for (std::uint32_t port = 0; port < model.node(node).inputs.size(); ++port)
            m_rewired.emplace(node, port);
    }
    const auto& outputs = m_result.edits.outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i)
        m_movedOutputs.emplace(std::pair(regionOf(outputs[i].node), outputs[i].value), i);
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

/// Behind what gives the value, if that is in the graph; else at the graph's start.
NewNode QdqWriter::placeBehind(ValueId value, RegionId region) const
{
    NewNode place;
    place.region = region;
    const NodeId producer = m_model.value(value).producer;
    if (producer.valid() && regionOf(producer) == region) {
        place.anchor = outsideCalls(m_model, producer);
        place.after = true;
    }
    return place;
}

void QdqWriter::addNode(const NewNode& place, std::string name, std::string opType, std::string domain,
    std::vector<std::string> inputs, std::vector<std::string> outputs, std::vector<Attribute> attributes)
{
    NewNode node = place;
    node.name = std::move(name);
    node.opType = std::move(opType);
    node.domain = std::move(domain);
    node.inputs = std::move(inputs);
    node.outputs = std::move(outputs);
    node.attributes = std::move(attributes);
    m_result.edits.newNodes.push_back(std::move(node));
}

Status QdqWriter::writeOutputPoint(PointId id, const QuantizationPoint& point, const QuantizationParameters& parameters)
{
    for (const ValueId value : pointValues(m_model, point)) {
        const std::string& name = m_model.value(value).name;
        const NodeId producer = outsideCalls(m_model, point.node);
        const auto& outputs = m_model.node(producer).outputs;
        const auto port = std::find(outputs.begin(), outputs.end(), value);
        if (port == outputs.end())
            return Error{ErrorCode::Internal, "a quantizer on a value inside a function", name, "inline the function"};
        ActivationNames names{m_names.value(name + "_float"), m_names.value("q" + std::to_string(id)), name};
        renameOutput(producer, static_cast<std::uint32_t>(port - outputs.begin()), names.floating);
        addPair(id, value, m_model.node(producer).region, names, parameters);
    }
    return success();
}

/// What gives the value now may be another node than in the model, which a pass took out.
void QdqWriter::renameOutput(NodeId node, std::uint32_t port, const std::string& name)
{
    if (const auto sum = m_sums.find(node); sum != m_sums.end()) {
        m_result.edits.newNodes[sum->second].outputs[port] = name;
        return;
    }
    const std::string& original = m_model.value(m_model.node(node).outputs[port]).name;
    const auto moved = m_movedOutputs.find({regionOf(node), original});
    if (moved != m_movedOutputs.end())
        m_result.edits.outputs[moved->second].value = name;
    else
        m_result.edits.outputs.push_back({node, port, name});
}

/// A model input keeps its name and stays float: its readers in the main graph are rewired instead.
void QdqWriter::writeModelInput(PointId id, ValueId value, const QuantizationParameters& parameters)
{
    ActivationNames names = namesBehind(id, value);
    addPair(id, value, RegionId(0), names, parameters);
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
    const RegionId region = regionOf(point.node);
    auto& pairs = m_pairs[{value, region}];
    auto same = std::find_if(pairs.begin(), pairs.end(), [&](const Pair& p) { return p.parameters == parameters; });
    if (same == pairs.end()) {
        ActivationNames names = namesBehind(id, value);
        addPair(id, value, region, names, parameters);
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
    PointId id, ValueId value, RegionId region, const ActivationNames& names, const QuantizationParameters& parameters)
{
    const NewNode place = placeBehind(value, region);
    const std::string number = std::to_string(id);
    const std::vector<std::int64_t> none;
    const auto channels = static_cast<std::int64_t>(parameters.scale.size());
    const auto [scale, zeroPoint]
        = addParameters(id, parameters, parameters.axis ? std::vector{channels} : none, region);
    ActivationNames written = names;
    if (needsBarrier(value, region) || partsReaders(value, names))
        written.kept = addBarrier(names.floating, value, place);
    const std::string& source = written.kept.empty() ? names.floating : written.kept;
    const std::string domain = domainFor(parameters.type);
    addNode(place, m_names.node("Q" + number), "QuantizeLinear", domain, {source, scale, zeroPoint}, {names.quantized},
        axisAttributes(parameters));
    addNode(place, m_names.node("DQ" + number), "DequantizeLinear", domain, {names.quantized, scale, zeroPoint},
        {names.dequantized}, axisAttributes(parameters));
    m_result.activations.emplace(value, written);
}

/// Of QuantizeLinear and DequantizeLinear.
std::vector<Attribute> QdqWriter::axisAttributes(const QuantizationParameters& parameters)
{
    if (!parameters.axis)
        return {};
    std::vector<Attribute> attributes{{"axis", *parameters.axis}};
    if (parameters.block > 0)
        attributes.push_back({"block_size", parameters.block});
    return attributes;
}

/// In a body ONNX Runtime 1.30 drops a Relu in front of a quantizer only if its scale and zero point stand there too;
/// it fails to open a model where they do not.
std::pair<std::string, std::string> QdqWriter::addParameters(PointId id, const QuantizationParameters& parameters,
    const std::vector<std::int64_t>& dims, RegionId region, ElementType floats)
{
    std::string scale = addFloats("scale" + std::to_string(id), dims, parameters.scale, region, floats);
    return {std::move(scale), zeroPointOf(parameters, dims, region)};
}

/// Equal zero points of a graph are stored once.
std::string QdqWriter::zeroPointOf(
    const QuantizationParameters& parameters, const std::vector<std::int64_t>& dims, RegionId region)
{
    auto& name = m_zeroPoints[{region, parameters.type, dims, parameters.zeroPoint}];
    if (!name.empty())
        return name;
    name = m_names.value(dims.empty() ? "zero_point_" + std::to_string(parameters.zeroPoint.front())
                                      : "zero_points_" + std::to_string(parameters.zeroPoint.size()));
    m_result.edits.newTensors.push_back(
        {name, parameters.type, dims, bytesOfCodes(parameters.zeroPoint, elementBits(parameters.type)), region});
    return name;
}

bool QdqWriter::staysFloat(NodeId node) const
{
    const NodeState state = m_decisions[node.index].state;
    return isIgnored(state) || state == NodeState::Preset;
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

bool QdqWriter::isDequantized(NodeId node, std::uint32_t port) const
{
    return m_index.at(node, port).has_value();
}

std::string QdqWriter::nameRead(NodeId node, std::uint32_t port) const
{
    const auto& edits = m_result.edits.inputs;
    const auto last = std::find_if(
        edits.rbegin(), edits.rend(), [&](const PortEdit& edit) { return edit.node == node && edit.port == port; });
    return last == edits.rend() ? m_model.value(m_model.node(node).inputs[port]).name : last->value;
}

void QdqWriter::rewire(NodeId node, std::uint32_t port, const std::string& value)
{
    if (const auto sum = m_sums.find(node); sum != m_sums.end() && port == kAddedPort)
        m_result.edits.newNodes[sum->second].inputs[1] = value;
    else
        m_result.edits.inputs.push_back({node, port, value});
    m_rewired.emplace(node, port);
}

} // namespace duo
