// SPDX-License-Identifier: Apache-2.0
// QdqWriter, part two: int8 weights, int32 biases, and what nobody reads any more.
#include "core/model/half_floats.h"
#include "core/model/held_tensors.h"
#include "core/model/op_facts.h"
#include "core/quantize/edits/bias_correction.h"
#include "core/quantize/edits/qdq_writer.h"
#include "core/quantize/operators/constant_path.h"
#include "core/quantize/points/scale_runs.h"
#include "core/quantize/points/setup_parameters.h"
#include "core/quantize/points/weights.h"
#include "core/support/bytes_of.h"
#include "core/transform/fold_batch_norm.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace duo {
namespace {

/// A weight with more has a DequantizeLinear for each. ONNX Runtime 1.32 makes a copy for each reader but one, and
/// looks at the names of all nodes for the name of the copy: 50,000 readers of 100 weights took it minutes, and 33 s
/// so.
constexpr std::size_t kManyReaders = 32;

/// Whether a bias leaves the int32 accumulator as much room as it takes itself. NaN does not fit.
bool fitsInt32(const std::vector<float>& values, const QuantizationParameters& weight, float inputScale)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double scale = static_cast<double>(weight.scale[weight.scale.size() == 1 ? 0 : i]) * inputScale;
        if (!(std::abs(values[i]) <= kMostBiasCodes * scale))
            return false;
    }
    return true;
}

/// The one number that a Gemm adds to all of its columns, for each of them: no int8 kernel takes it otherwise.
std::optional<std::vector<float>> addedNumber(const Model& model, NodeId id)
{
    const Node& node = model.node(id);
    if (node.opType != "Gemm" || hasGemmFactors(node) || node.inputs.size() < 3 || !node.inputs[2].valid())
        return std::nullopt;
    const Tensor* number = model.constant(behindIdentities(model, node.inputs[2]));
    const Tensor* matrix = model.constant(behindIdentities(model, node.inputs[1]));
    const bool isOne = number != nullptr && number->type == ElementType::Float32 && number->elements() == 1;
    const auto values = isOne ? toFloats(*number) : std::vector<float>();
    const auto layout = matrix == nullptr ? std::nullopt : weightLayout(node, 1, matrix->dims.size());
    if (values.size() != 1 || !layout || !layout->output)
        return std::nullopt;
    return std::vector<float>(static_cast<std::size_t>(matrix->dims[*layout->output]), values.front());
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
    const ValueId source = behindIdentities(m_model, m_model.node(point.node).inputs[port]);
    const auto norm = port == 1 ? foldableNorm(m_model, point.node) : std::nullopt;
    const auto fold = norm ? norm->scale : std::vector<float>{};
    const auto [first, last] = m_weights.equal_range(source);
    auto stored = std::find_if(first, last,
        [&](const auto& entry) { return entry.second.parameters == parameters->second && entry.second.fold == fold; });
    if (stored == last) {
        DUO_TRY(made, storeWeight(id, point, parameters->second));
        made.fold = fold;
        stored = m_weights.emplace(source, std::move(made));
    }

    const ValueId read = m_model.node(point.node).inputs[port];
    std::vector<NodeId> readers = point.directlyQuantized;
    if (std::find(readers.begin(), readers.end(), point.node) == readers.end())
        readers.push_back(point.node);
    const bool isReadByMany = m_model.value(read).uses.size() > kManyReaders;
    for (const NodeId reader : readers) {
        const auto& inputs = m_model.node(reader).inputs;
        const RegionId region = regionOf(reader);
        const std::string& dequantized = dequantizedIn(region, isReadByMany ? reader : NodeId(), id, stored->second);
        for (std::uint32_t p = 0; p < inputs.size(); ++p) {
            if (inputs[p] == read)
                rewire(reader, p, dequantized);
        }
        m_result.quantizedWeights[reader].push_back(codesIn(region, id, stored->second).codes);
        DUO_CHECK(writeBias(reader, parameters->second));
    }
    return success();
}

Result<QdqWriter::StoredWeight> QdqWriter::storeWeight(
    PointId id, const QuantizationPoint& point, const QuantizationParameters& parameters)
{
    DUO_TRY(weight, readWeight(m_model, point.node, point.port.value_or(0)));
    const std::size_t scales = scaleCount(weight.dims, parameters.axis, parameters.block);
    if (parameters.scale.size() != scales || parameters.zeroPoint.size() != scales)
        return Error{ErrorCode::BadState,
            "quantizer " + std::to_string(id) + " has " + std::to_string(parameters.scale.size())
                + " scales for a weight of " + std::to_string(scales)
                + (parameters.block > 0 ? " blocks" : " channels"),
            "weight '" + weight.name + "'", "calibrate again"};
    const std::int64_t least = leastOpsetOf(parameters.type, parameters.block);
    if (m_model.opset() < least)
        return Error{ErrorCode::Unsupported,
            "no DequantizeLinear before opset " + std::to_string(least) + " takes "
                + (parameters.block > 0 ? "a scale per block" : std::string(elementTypeName(parameters.type)))
                + ", and the model is of opset " + std::to_string(m_model.opset()),
            "weight '" + weight.name + "'", "raise it: transforms.least_opset of the recipe"};
    StoredWeight stored{parameters, m_result.edits.newTensors.size()};
    const Tensor* read = m_model.constant(m_model.node(point.node).inputs[point.port.value_or(0)]);
    if (read != nullptr && read->type == ElementType::Float16)
        stored.floats = ElementType::Float16;
    m_result.edits.newTensors.push_back(
        {m_names.value(weight.name + "_quantized"), parameters.type, weight.dims, quantizedCodes(weight, parameters)});
    m_result.int8Elements += static_cast<std::int64_t>(weight.values.size());
    return stored;
}

/// ONNX Runtime fails to open a model where the codes of a product with float data stand in another graph (1.30): each
/// graph that reads a weight has its own.
const QdqWriter::CodeNames& QdqWriter::codesIn(RegionId region, PointId id, StoredWeight& weight)
{
    auto& tensors = m_result.edits.newTensors;
    const bool isFirst = weight.names.empty();
    CodeNames& names = weight.names[region];
    if (!names.codes.empty())
        return names;
    if (isFirst) {
        tensors[weight.codes].region = region;
        names.codes = tensors[weight.codes].name;
    } else {
        NewTensor copy = tensors[weight.codes];
        copy.name = names.codes = m_names.value(copy.name);
        copy.region = region;
        tensors.push_back(std::move(copy));
    }
    std::tie(names.scale, names.zeroPoint) = addParameters(id, weight.parameters,
        scaleDims(tensors[weight.codes].dims, weight.parameters.axis, weight.parameters.block), region, weight.floats);
    return names;
}

/// ONNX Runtime fuses a DequantizeLinear only in the graph of its reader, and where nothing else reads it.
/// @param alone the only node that is to read it; invalid: all that have none of their own
const std::string& QdqWriter::dequantizedIn(RegionId region, NodeId alone, PointId id, StoredWeight& weight)
{
    std::string& name = weight.dequantized[{region, alone}];
    if (!name.empty())
        return name;
    const CodeNames& codes = codesIn(region, id, weight);
    name = m_names.value("dq" + std::to_string(id));
    NewNode start;
    start.region = region;
    addNode(start, m_names.node("DQ" + std::to_string(id)), "DequantizeLinear", domainFor(weight.parameters.type),
        {codes.codes, codes.scale, codes.zeroPoint}, {name}, axisAttributes(weight.parameters));
    return name;
}

Status QdqWriter::writeBias(NodeId id, const QuantizationParameters& weight)
{
    const bool hasNorm = foldableNorm(m_model, id).has_value();
    auto values = biasToCorrect(m_model, id);
    if (const auto number = addedNumber(m_model, id))
        values = *number;
    if (values.empty())
        return success();
    const auto shift = m_shifts.find(id);
    const bool isShifted = shift != m_shifts.end() && shift->second.size() == values.size();
    for (std::size_t c = 0; isShifted && c < values.size(); ++c)
        values[c] += shift->second[c];
    const auto joined = biasOf(m_model, id);
    const auto added = joined ? std::nullopt : addedBiasOf(m_model, id);
    const BiasPort place = joined ? *joined : added.value_or(BiasPort{id, 2});
    if (place.node != id && (staysFloat(place.node) || isDequantized(place.node, place.port)))
        return success();
    const bool isAddedInFloat = added && !m_target.quantizesEveryTensor;
    const auto inputPoint = m_index.at(id, 0);
    const bool isQuantized = m_target.bias == BiasForm::Int32 && !isAddedInFloat && inputPoint && weight.block == 0
        && m_parameters.contains(*inputPoint) && !m_setup.points.at(*inputPoint).isWeight
        && (weight.scale.size() == 1 || weight.scale.size() == values.size())
        && fitsInt32(values, weight, m_parameters.at(*inputPoint).scale.front());
    if (isQuantized)
        writeInt32Bias(place, values, weight, m_parameters.at(*inputPoint).scale.front());
    else if (hasNorm || isShifted)
        rewire(place.node, place.port,
            addFloats(biasName(place) + (hasNorm ? "_folded" : "_corrected"), biasDims(place, values.size()), values));
    return success();
}

void QdqWriter::writeInt32Bias(
    const BiasPort& place, const std::vector<float>& values, const QuantizationParameters& weight, float inputScale)
{
    QuantizationParameters parameters{ElementType::Int32, {}, {}, std::nullopt};
    for (const float scale : weight.scale)
        parameters.scale.push_back(scale * inputScale);
    const std::vector<std::int64_t> dims = biasDims(place, values.size());
    if (weight.axis)
        parameters.axis = static_cast<std::int64_t>(dims.size()) - 1;
    std::vector<std::int32_t> codes(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double scale = parameters.scale[parameters.scale.size() == 1 ? 0 : i];
        codes[i]
            = static_cast<std::int32_t>(std::clamp(std::nearbyint(values[i] / scale), -2147483647.0, 2147483647.0));
    }
    const std::string name = biasName(place);
    std::vector<std::int64_t> scaleDims;
    if (parameters.axis)
        scaleDims.push_back(static_cast<std::int64_t>(parameters.scale.size()));
    const std::string quantized = m_names.value(name + "_quantized");
    const std::string dequantized = m_names.value(name + "_dq");
    NewNode start;
    start.region = regionOf(place.node);
    const std::string scale = addFloats(name + "_scale", scaleDims, parameters.scale, start.region);
    m_result.edits.newTensors.push_back({quantized, ElementType::Int32, dims, bytesOf(codes), start.region});
    addNode(start, m_names.node(name + "_DQ"), "DequantizeLinear", {}, {quantized, scale}, {dequantized},
        axisAttributes(parameters));
    rewire(place.node, place.port, dequantized);
}

/// Those of the bias that is replaced: a row stays one.
std::vector<std::int64_t> QdqWriter::biasDims(const BiasPort& place, std::size_t channels) const
{
    const Node& node = m_model.node(place.node);
    const bool isThere = place.port < node.inputs.size() && node.inputs[place.port].valid();
    const Tensor* bias = isThere ? m_model.constant(behindIdentities(m_model, node.inputs[place.port])) : nullptr;
    if (bias != nullptr && bias->elements() == static_cast<std::int64_t>(channels))
        return bias->dims;
    return {static_cast<std::int64_t>(channels)};
}

std::string QdqWriter::biasName(const BiasPort& place) const
{
    const Node& node = m_model.node(place.node);
    if (place.port < node.inputs.size() && node.inputs[place.port].valid())
        return m_model.value(node.inputs[place.port]).name;
    return m_model.value(node.inputs[1]).name + "_bias";
}

/// @param type Float32, or Float16
std::string QdqWriter::addFloats(const std::string& wanted, std::vector<std::int64_t> dims,
    const std::vector<float>& values, RegionId region, ElementType type)
{
    std::string name = m_names.value(wanted);
    std::vector<std::byte> bytes = bytesOf(values);
    if (type == ElementType::Float16) {
        std::vector<std::uint16_t> halves(values.size());
        std::ranges::transform(values, halves.begin(), toHalf);
        bytes = bytesOf(halves);
    }
    m_result.edits.newTensors.push_back({name, type, std::move(dims), std::move(bytes), region});
    return name;
}

/// Constants, and the Identity, Transpose and Constant nodes behind them, that lost their last reader. O(ports rewired)
void QdqWriter::removeUnread()
{
    std::map<ValueId, std::size_t> lost; // of its readers
    std::vector<ValueId> open; // that lost all of them
    const auto loseReader = [&](NodeId node, std::uint32_t port) {
        const auto& inputs = m_model.node(node).inputs;
        const bool isAdded = port >= inputs.size() || !inputs[port].valid();
        if (!isAdded && ++lost[inputs[port]] == m_model.value(inputs[port]).uses.size())
            open.push_back(inputs[port]);
    };
    for (const auto& [node, port] : m_rewired)
        loseReader(node, port);
    while (!open.empty()) {
        const ValueId id = open.back();
        open.pop_back();
        const Value& value = m_model.value(id);
        if (value.isOutput || value.isInput)
            continue;
        if (value.initializer.valid() && value.region == RegionId(0)) {
            m_result.edits.removedTensors.push_back(value.name);
        } else if (value.initializer.valid()) {
            m_result.edits.removedInBodies.emplace_back(value.region, value.name);
        } else if (value.producer.valid()
            && (constantBehind(m_model, id).value.valid()
                || weightSource(m_model, value.uses.front().node, value.uses.front().port).valid())
            && !isInsideCall(value.producer)) {
            const Node& producer = m_model.node(value.producer);
            m_result.edits.removedNodes.push_back(value.producer);
            for (std::uint32_t port = 0; port < producer.inputs.size(); ++port) {
                if (m_rewired.emplace(value.producer, port).second)
                    loseReader(value.producer, port);
            }
        }
    }
    std::sort(m_result.edits.removedTensors.begin(), m_result.edits.removedTensors.end());
    std::sort(m_result.edits.removedInBodies.begin(), m_result.edits.removedInBodies.end());
    std::sort(m_result.edits.removedNodes.begin(), m_result.edits.removedNodes.end());
}

} // namespace duo
