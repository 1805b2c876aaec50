// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/weights.h"

#include "core/model/held_tensors.h"
#include "core/model/node_inputs.h"
#include "core/model/op_facts.h"
#include "core/quantize/points/scale_runs.h"
#include "core/support/bytes_of.h"
#include "core/support/result.h"
#include "core/transform/fold_batch_norm.h"
#include "core/transform/gemm_fusion.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {
namespace {

/// A QuantizeLinear or DequantizeLinear of constant float32 scale and constant zero point, not in blocks.
bool convertsCodes(const Model& model, const Node& node)
{
    if (!isQuantizer(node))
        return false;
    const Tensor* scale = constantAt(model, node, 1);
    const bool hasZeroPoint = inputAt(node, 2).valid();
    const Tensor* zeroPoint = constantAt(model, node, 2);
    const ElementType codes = zeroPoint != nullptr ? zeroPoint->type : ElementType::UInt8;
    const bool isKnown = node.opType == "DequantizeLinear" || (elementBits(codes) >= 8 && codeRange(codes));
    return scale != nullptr && scale->type == ElementType::Float32 && hasZeroPoint == (zeroPoint != nullptr) && isKnown
        && node.intAttribute("block_size", 0) == 0;
}

/// Applies such a node to row-major values of the given shape: codes to floats, or floats to (saturated) codes.
/// O(elements). @return MalformedModel where scales do not fit the shape
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
    const CodeRange range
        = codeRange(zeroPoint != nullptr ? zeroPoint->type : ElementType::UInt8).value_or(CodeRange());
    const auto low = static_cast<float>(range.lowest);
    const auto high = static_cast<float>(range.highest);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t channel = isPerTensor ? 0 : i / inner % scales.size();
        values[i] = toCodes ? std::clamp(std::nearbyint(values[i] / scales[channel]) + zeros[channel], low, high)
                            : (values[i] - zeros[channel]) * scales[channel];
    }
    return success();
}

/// Nothing if a dimension is not known.
std::optional<std::vector<std::int64_t>> fixedDims(const ValueType& type)
{
    if (!type.shape)
        return std::nullopt;
    std::vector<std::int64_t> dims;
    for (const Dim& dim : *type.shape) {
        if (!dim.size)
            return std::nullopt;
        dims.push_back(*dim.size);
    }
    return dims;
}

/// The shape a Reshape gives a weight; nothing if it is not given in full.
std::optional<std::vector<std::int64_t>> reshapedDims(const Model& model, const Node& reshape)
{
    if (auto dims = fixedDims(model.value(reshape.outputs[0]).type))
        return dims;
    const Tensor* shape
        = reshape.inputs.size() > 1 && reshape.inputs[1].valid() ? model.constant(reshape.inputs[1]) : nullptr;
    if (shape == nullptr || shape->type != ElementType::Int64)
        return std::nullopt;
    auto dims = toInts(*shape);
    const auto isFixed = [](std::int64_t dim) { return dim > 0; };
    return std::all_of(dims.begin(), dims.end(), isFixed) ? std::optional(std::move(dims)) : std::nullopt;
}

/// Whether a node only rearranges a weight, in a way readWeight can repeat.
bool rearranges(const Model& model, const Node& node)
{
    if (!node.domain.empty() || node.inputs.empty() || node.outputs.empty() || !node.outputs[0].valid())
        return false;
    const ValueType& type = model.value(node.outputs[0]).type;
    if (node.opType == "Reshape")
        return reshapedDims(model, node).has_value();
    if (node.opType == "Cast")
        return type.element == ElementType::Float32 && node.inputs[0].valid()
            && isOtherFloat(model.value(node.inputs[0]).type.element);
    return node.opType == "Identity" || node.opType == "Transpose";
}

/// The input a chain of rearranging nodes starts from; fills the nodes passed, reader first.
/// @param passed also leads through what converts codes; null: not
ValueId chainStart(const Model& model, ValueId value, std::vector<NodeId>* passed)
{
    while (value.valid() && model.constant(value) == nullptr) {
        const NodeId producer = model.value(value).producer;
        if (!producer.valid())
            return {};
        const Node& node = model.node(producer);
        if (!rearranges(model, node) && (passed == nullptr || !convertsCodes(model, node)))
            return {};
        if (passed != nullptr)
            passed->push_back(producer);
        value = node.inputs[0];
    }
    return value;
}

std::vector<std::int64_t> permutationOf(const Node& transpose, std::size_t rank)
{
    std::vector<std::int64_t> permutation(rank);
    const Attribute* perm = transpose.attribute("perm");
    const auto* given = perm != nullptr ? std::get_if<std::vector<std::int64_t>>(&perm->value) : nullptr;
    if (given != nullptr && given->size() == rank)
        return *given;
    for (std::size_t i = 0; i < rank; ++i)
        permutation[i] = static_cast<std::int64_t>(rank - 1 - i);
    return permutation;
}

bool isPermutation(const std::vector<std::int64_t>& permutation)
{
    std::vector<bool> seen(permutation.size(), false);
    for (const std::int64_t p : permutation) {
        if (p < 0 || p >= static_cast<std::int64_t>(permutation.size()) || seen[static_cast<std::size_t>(p)])
            return false;
        seen[static_cast<std::size_t>(p)] = true;
    }
    return true;
}

void transposeInPlace(Weight& weight, const std::vector<std::int64_t>& permutation)
{
    const std::size_t rank = weight.dims.size();
    std::vector<std::int64_t> sourceStride(rank, 1);
    for (std::size_t i = rank; i-- > 1;)
        sourceStride[i - 1] = sourceStride[i] * weight.dims[i];
    std::vector<std::int64_t> dims(rank);
    std::vector<std::int64_t> stride(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        dims[i] = weight.dims[static_cast<std::size_t>(permutation[i])];
        stride[i] = sourceStride[static_cast<std::size_t>(permutation[i])];
    }
    std::vector<float> values(weight.values.size());
    std::vector<std::int64_t> index(rank, 0);
    std::int64_t offset = 0;
    for (float& value : values) {
        value = weight.values[static_cast<std::size_t>(offset)];
        for (std::size_t axis = rank; axis-- > 0;) {
            offset += stride[axis];
            if (++index[axis] < dims[axis])
                break;
            offset -= stride[axis] * dims[axis];
            index[axis] = 0;
        }
    }
    weight.dims = std::move(dims);
    weight.values = std::move(values);
}

Status reshapeInPlace(Weight& weight, const Model& model, NodeId reshape)
{
    auto dims = reshapedDims(model, model.node(reshape));
    std::uint64_t elements = 1;
    for (const std::int64_t dim : dims.value_or(std::vector<std::int64_t>{}))
        elements *= static_cast<std::uint64_t>(std::max<std::int64_t>(dim, 0));
    if (!dims || elements != weight.values.size())
        return Error{ErrorCode::MalformedModel, "the shape does not fit the weight it reads",
            "node '" + model.node(reshape).name + "'", "export the model again"};
    weight.dims = *std::move(dims);
    return success();
}

/// A batch norm behind a convolution scales its output channels, and so the weight along their axis.
Status foldNormInPlace(const Model& model, NodeId node, std::uint32_t port, Weight& weight)
{
    const auto norm = port == 1 ? foldableNorm(model, node) : std::nullopt;
    if (!norm)
        return success();
    const auto layout = weightLayout(model.node(node), port, weight.dims.size());
    const auto axis = layout ? layout->output : std::nullopt;
    if (!axis || static_cast<std::size_t>(weight.dims[*axis]) != norm->scale.size())
        return Error{ErrorCode::MalformedModel, "the norm behind it has another number of channels",
            "node '" + model.node(node).name + "'", "export the model again"};
    const auto scaleRun = [&](std::size_t i, std::size_t length, std::size_t channel) {
        for (const std::size_t end = i + length; i < end; ++i)
            weight.values[i] *= norm->scale[channel];
    };
    forEachRun(weight.values.size(), weight.dims, static_cast<std::int64_t>(*axis), 0, scaleRun);
    return success();
}

/// A constant float32 vector, or a matrix of one row (as converters of scikit-learn write biases); null for others.
const Tensor* floatRow(const Model& model, const Node& node, std::uint32_t port)
{
    if (port >= node.inputs.size() || !node.inputs[port].valid())
        return nullptr;
    const Tensor* tensor = model.constant(behindIdentities(model, node.inputs[port]));
    if (tensor == nullptr || tensor->type != ElementType::Float32)
        return nullptr;
    const std::vector<std::int64_t>& dims = tensor->dims;
    return dims.size() == 1 || (dims.size() == 2 && dims[0] == 1) ? tensor : nullptr;
}

/// Whether kernels of some runtime add an int32 bias to its sums: no transposed convolution is known to.
bool takesInt32Bias(const Node& node)
{
    if (node.opType == "Gemm")
        return !hasGemmFactors(node);
    return isProduct(node, Product::Convolution) || opFacts(node).product == Product::None;
}

} // namespace

std::optional<BiasPort> biasOf(const Model& model, NodeId id)
{
    const Node& node = model.node(id);
    const std::uint8_t port = opFacts(node).biasPort;
    if (port != kNoPort && takesInt32Bias(node))
        return floatRow(model, node, port) != nullptr ? std::optional(BiasPort{id, port}) : std::nullopt;
    // Where the file does not tell the axes it may be a Gemm, and an int32 bias keeps no other product from int8.
    const auto place = addedBiasOf(model, id);
    const bool isJoined = place && gemmFusion(model, id, {place->node, place->port}) != GemmFusion::No;
    return isJoined ? place : std::nullopt;
}

std::optional<BiasPort> addedBiasOf(const Model& model, NodeId id)
{
    const auto added = addedBehind(model, id);
    if (!added || !weightSource(model, id, 1).valid()
        || floatRow(model, model.node(added->add), added->port) == nullptr)
        return std::nullopt;
    return BiasPort{added->add, added->port};
}

bool isDequantizedConstant(const Model& model, ValueId value)
{
    if (!isDequantized(model, value))
        return false;
    const auto& inputs = model.node(model.value(value).producer).inputs;
    return !inputs.empty() && inputs[0].valid() && model.constant(inputs[0]) != nullptr;
}

bool addsBesideCodes(const Model& model, NodeId id)
{
    constexpr std::uint32_t kPort = 2;
    const Node& node = model.node(id);
    const bool adds = node.opType == "Gemm" && node.domain.empty() && node.inputs.size() > kPort
        && node.inputs[kPort].valid() && !hasScaledBias(node);
    if (!adds || isDequantizedConstant(model, node.inputs[kPort]))
        return false;
    const Tensor* constant = model.constant(behindIdentities(model, node.inputs[kPort]));
    const bool isNumber = constant != nullptr && constant->type == ElementType::Float32 && constant->elements() == 1;
    const bool isTaken = !hasGemmFactors(node) && (isNumber || floatRow(model, node, kPort) != nullptr);
    return !isTaken || !weightSource(model, id, 1).valid();
}

std::vector<float> effectiveBias(const Model& model, NodeId id)
{
    std::vector<float> bias;
    if (const auto place = biasOf(model, id))
        bias = toFloats(*floatRow(model, model.node(place->node), place->port));
    const auto norm = foldableNorm(model, id);
    if (!norm)
        return bias;
    bias.resize(norm->scale.size(), 0.0F);
    for (std::size_t c = 0; c < bias.size(); ++c)
        bias[c] = bias[c] * norm->scale[c] + norm->shift[c];
    return bias;
}

ValueId weightSource(const Model& model, NodeId node, std::uint32_t port)
{
    const Node& reader = model.node(node);
    return port < reader.inputs.size() ? chainStart(model, reader.inputs[port], nullptr) : ValueId{};
}

bool isReadAsWeight(const Model& model, ValueId value)
{
    return std::ranges::any_of(
        model.value(value).uses, [&](const Use& use) { return weightSource(model, use.node, use.port).valid(); });
}

std::optional<std::int64_t> weightScaleAxis(
    const Model& model, NodeId node, std::uint32_t port, std::size_t rank, const QuantizerConfig& config, bool likeNncf)
{
    if (config.block > 0)
        return weightBlockAxis(model, node, port, rank);
    return config.perChannel ? weightChannelAxis(model, node, port, rank, likeNncf) : std::nullopt;
}

Result<Weight> readWeight(const Model& model, NodeId node, std::uint32_t port)
{
    const Node& reader = model.node(node);
    const std::string where = "node '" + reader.name + "'";
    std::vector<NodeId> passed;
    const ValueId source = port < reader.inputs.size() ? chainStart(model, reader.inputs[port], &passed) : ValueId{};
    const Tensor* tensor = model.constant(source);
    if (tensor == nullptr)
        return Error{ErrorCode::MalformedModel, "the weight is not a constant", where, "ignore the node"};
    Weight weight{model.value(source).name, source, tensor->dims, toFloats(*tensor)};
    const bool isCodes
        = std::any_of(passed.begin(), passed.end(), [&](NodeId id) { return convertsCodes(model, model.node(id)); });
    if ((tensor->type != ElementType::Float32 && !isOtherFloat(tensor->type) && !isCodes)
        || weight.values.size() != static_cast<std::size_t>(tensor->elements()))
        return Error{
            ErrorCode::MalformedModel, "weight '" + weight.name + "' is not float32", where, "ignore the node"};
    for (auto id = passed.rbegin(); id != passed.rend(); ++id) {
        if (convertsCodes(model, model.node(*id)))
            DUO_CHECK(convertInPlace(weight.values, weight.dims, model, model.node(*id)));
        if (model.node(*id).opType == "Reshape")
            DUO_CHECK(reshapeInPlace(weight, model, *id));
        if (model.node(*id).opType != "Transpose")
            continue;
        const auto permutation = permutationOf(model.node(*id), weight.dims.size());
        if (!isPermutation(permutation))
            return Error{ErrorCode::MalformedModel, "perm is not a permutation", "node '" + model.node(*id).name + "'",
                "export the model again"};
        transposeInPlace(weight, permutation);
    }
    DUO_CHECK(foldNormInPlace(model, node, port, weight));
    return weight;
}

std::optional<std::int64_t> weightChannelAxis(
    const Model& model, NodeId node, std::uint32_t port, std::size_t rank, bool likeNncf)
{
    const Node& reader = model.node(node);
    if (rank == 0)
        return std::nullopt;
    if (has(reader, mark::kTable))
        return 0;
    const auto layout = weightLayout(reader, port, rank);
    const bool isMatrix = isProduct(reader, Product::Matrix);
    if (likeNncf && isMatrix && reader.opType != "Gemm")
        return static_cast<std::int64_t>(rank) - 1; // NNCF takes the last of either operand
    const bool isOfOneScale = isMatrix
        ? rank != 2 || port != 1
        : isProduct(reader, Product::TransposedConvolution) && layout && layout->groups != 1;
    if (!layout || !layout->output || (isOfOneScale && !likeNncf))
        return std::nullopt;
    return static_cast<std::int64_t>(*layout->output);
}

bool readsFloatConstant(const Model& model, const Node& node)
{
    for (std::size_t port = 0; port < node.inputs.size(); ++port) {
        const Tensor* constant = node.inputs[port].valid() ? model.constant(node.inputs[port]) : nullptr;
        const bool isBias = port == opFacts(node).biasPort && isFloatProduct(node);
        if (constant && (constant->type == ElementType::Float32 || isOtherFloat(constant->type)) && !isBias)
            return true;
    }
    return false;
}

std::optional<std::int64_t> weightBlockAxis(const Model& model, NodeId node, std::uint32_t port, std::size_t rank)
{
    const Node& reader = model.node(node);
    if (rank > 0 && has(reader, mark::kTable))
        return static_cast<std::int64_t>(rank) - 1;
    const auto layout = weightLayout(reader, port, rank);
    return layout && layout->input ? std::optional(static_cast<std::int64_t>(*layout->input)) : std::nullopt;
}

std::vector<float> maxAbsByChannel(const Weight& weight, std::optional<std::int64_t> axis, std::int64_t block)
{
    std::vector<float> result(scaleCount(weight.dims, axis, block), 0.0F);
    forEachRun(weight.values.size(), weight.dims, axis, block, [&](std::size_t i, std::size_t length, std::size_t s) {
        float largest = result[s];
        for (const std::size_t end = i + length; i < end; ++i) {
            const float magnitude = std::abs(weight.values[i]);
            if (magnitude > largest || std::isnan(magnitude)) // NaN stays, to be refused later
                largest = magnitude;
        }
        result[s] = largest;
    });
    return result;
}

std::vector<Range> rangesByScale(const Weight& weight, std::optional<std::int64_t> axis, std::int64_t block)
{
    const std::vector<float> largest = maxAbsByChannel(weight, axis, block);
    std::vector<Range> ranges(largest.size());
    forEachRun(weight.values.size(), weight.dims, axis, block, [&](std::size_t i, std::size_t length, std::size_t s) {
        for (const std::size_t end = i + length; i < end; ++i) {
            ranges[s].min = std::min(ranges[s].min, weight.values[i]);
            ranges[s].max = std::max(ranges[s].max, weight.values[i]);
        }
    });
    for (std::size_t s = 0; s < ranges.size(); ++s) {
        if (std::isnan(largest[s]))
            ranges[s] = {largest[s], largest[s]};
    }
    return ranges;
}

Range rangeOf(const Weight& weight)
{
    if (weight.values.empty())
        return {};
    const auto [low, high] = std::minmax_element(weight.values.begin(), weight.values.end());
    return {*low, *high};
}

CodeRange weightCodes(ElementType type)
{
    constexpr int kMany = 256;
    CodeRange range = codeRange(type).value_or(CodeRange());
    if (range.isSigned() && range.count() >= kMany)
        range.lowest = -range.highest;
    return range;
}

std::vector<std::byte> quantizedCodes(const Weight& weight, const QuantizationParameters& parameters)
{
    const CodeRange range = weightCodes(parameters.type);
    const auto lowest = static_cast<float>(range.lowest);
    const auto highest = static_cast<float>(range.highest);
    const int bits = elementBits(parameters.type);
    std::vector<std::byte> codes(codeBytes(weight.values.size(), bits));
    forEachRun(weight.values.size(), weight.dims, parameters, [&](std::size_t i, std::size_t length, std::size_t s) {
        const float scale = parameters.scale[s];
        const auto zeroPoint = static_cast<float>(parameters.zeroPoint[s]);
        for (const std::size_t end = i + length; i < end; ++i) {
            const float code = std::clamp(std::nearbyint(weight.values[i] / scale) + zeroPoint, lowest, highest);
            setCodeAt(codes.data(), i, bits, static_cast<int>(code));
        }
    });
    return codes;
}

} // namespace duo
