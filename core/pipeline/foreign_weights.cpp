// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/foreign_weights.h"

#include "core/model/code_range.h"
#include "core/model/op_facts.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/scale_runs.h"
#include "core/quantize/points/weights.h"
#include "core/support/turned_matrix.h"

#include <algorithm>

namespace duo {
namespace {

using Dims = std::vector<std::int64_t>;

constexpr std::int64_t kHalfScales = 19; // the first opset whose DequantizeLinear gives float16

Result<Dims> dimsOf(const Model& model, const QuantizationPoint& point)
{
    const ValueId value = pointValue(model, point);
    if (value.valid() && model.value(value).initializer.valid())
        return model.tensor(model.value(value).initializer).dims;
    DUO_TRY(weight, readWeight(model, point.node, point.port.value_or(0)));
    return weight.dims;
}

bool isAsStored(const Model& model, const ForeignEncoding& entry, const QuantizationPoint& point)
{
    return pointValue(model, point) == model.findValue(entry.tensor);
}

/// Of a negative axis, which counts from the end, the one it means.
std::int64_t fromFront(std::int64_t axis, const Dims& dims)
{
    return axis < 0 ? axis + static_cast<std::int64_t>(dims.size()) : axis;
}

std::optional<std::int64_t> channelAxis(
    const Model& model, const ForeignEncoding& entry, const QuantizationPoint& point, const Dims& dims)
{
    const auto count = static_cast<std::int64_t>(entry.scale.size());
    const auto rank = static_cast<std::int64_t>(dims.size());
    const auto fits
        = [&](std::int64_t axis) { return axis >= 0 && axis < rank && dims[static_cast<std::size_t>(axis)] == count; };
    if (entry.axis && isAsStored(model, entry, point)) {
        const std::int64_t axis = fromFront(*entry.axis, dims);
        return fits(axis) ? std::optional(axis) : std::nullopt;
    }
    const std::uint32_t port = point.port.value_or(0);
    for (const bool likeNncf : {false, true}) {
        const auto axis = weightChannelAxis(model, point.node, port, dims.size(), likeNncf);
        if (axis && fits(*axis))
            return axis;
    }
    return std::ranges::count(dims, count) == 1 ? std::optional(std::ranges::find(dims, count) - dims.begin())
                                                : std::nullopt;
}

/// @return whether they fit
bool takeBlocks(const Model& model, const ForeignEncoding& entry, const QuantizationPoint& point, const Dims& dims,
    QuantizationParameters& parameters)
{
    const auto rank = static_cast<std::int64_t>(dims.size());
    auto axis = entry.axis;
    axis = axis ? fromFront(*axis, dims) : weightBlockAxis(model, point.node, point.port.value_or(0), dims.size());
    if (!axis || *axis < 0 || *axis >= rank || !isAsStored(model, entry, point))
        return false;
    parameters.block = entry.block;
    parameters.axis = axis;
    Dims wanted = scaleDims(dims, axis, entry.block);
    const bool isTold = !entry.blockDims.empty();
    const bool isTurned = isTold ? entry.blockDims != wanted : !entry.axis && axis == 0 && rank == 2; // AIMET's lists
    if (isTold && isTurned && rank == 2) { // stored the other way round
        parameters.axis = 1 - *axis;
        wanted = scaleDims(dims, parameters.axis, entry.block);
    }
    const bool fits = !isTold || entry.blockDims == (isTurned ? Dims(wanted.rbegin(), wanted.rend()) : wanted);
    if (!fits || (isTurned && rank != 2) || scaleCount(dims, parameters.axis, entry.block) != entry.scale.size())
        return false;
    if (isTurned) {
        const auto columns = static_cast<std::size_t>(wanted.front()); // of the file
        parameters.scale = turnedMatrix(parameters.scale, columns);
        parameters.zeroPoint = turnedMatrix(parameters.zeroPoint, columns);
    }
    return true;
}

/// What keeps codes that fit from being written so that the engine computes them; "" for nothing.
std::string whyNotWritten(
    const Model& model, const ForeignEncoding& entry, const QuantizationPoint& point, const Dims& dims)
{
    constexpr std::int64_t kRightColumns = 4;
    const Node& node = model.node(point.node);
    if (entry.bits == 2 && isProduct(node, Product::Matrix) && !dims.empty() && dims.back() % kRightColumns != 0)
        return "has codes of 2 bits for " + std::to_string(dims.back())
            + " outputs: ONNX Runtime 1.32 multiplies these wrongly unless they are a multiple of 4";
    const ElementType type = model.value(pointValue(model, point)).type.element;
    const Tensor* tensor = model.constant(pointValue(model, point));
    const ElementType floats = tensor != nullptr ? tensor->type : type;
    const bool isHalf = floats == ElementType::Float16 && model.opset() >= kHalfScales;
    if (isOtherFloat(floats) && !isHalf)
        return "is of " + std::string(elementTypeName(floats))
            + (floats == ElementType::Float16 ? ": its scales need opset 19" : ": the model must compute in float32");
    return {};
}

} // namespace

Result<ForeignWeight> foreignWeight(const Model& model, const ForeignEncoding& entry, const QuantizationPoint& point)
{
    Dims dims;
    if (entry.scale.size() > 1 || entry.block > 0 || entry.bits == 2) {
        DUO_TRY(read, dimsOf(model, point));
        dims = std::move(read);
    }
    if (std::string why = whyNotWritten(model, entry, point, dims); !why.empty())
        return ForeignWeight{std::nullopt, std::move(why)};
    QuantizationParameters parameters{entry.codes, entry.scale, entry.zeroPoint, std::nullopt};
    if (entry.block > 0) {
        if (!takeBlocks(model, entry, point, dims, parameters))
            return ForeignWeight{std::nullopt, "has other scales than one for each of its blocks"};
    } else if (entry.scale.size() > 1) {
        parameters.axis = channelAxis(model, entry, point, dims);
        if (!parameters.axis)
            return ForeignWeight{std::nullopt, "has as many scales as no axis of it has elements"};
    }
    if (entry.codes == ElementType::Undefined) {
        const std::int32_t middle = std::int32_t{1} << (entry.bits - 1);
        const bool isSigned = std::ranges::all_of(entry.zeroPoint, [&](std::int32_t zero) { return zero == middle; });
        parameters.type = codeType(entry.bits, isSigned).value_or(ElementType::UInt8);
        if (isSigned)
            std::ranges::fill(parameters.zeroPoint, 0);
    }
    return ForeignWeight{std::move(parameters), {}};
}

std::set<NodeId> readersIn(const Model& model, const std::vector<std::string>& names)
{
    std::set<NodeId> readers;
    for (const std::string& name : names) {
        if (const NodeId node = model.findNode(name); node.valid())
            readers.insert(node);
    }
    return readers;
}

bool isFor(NodeId node, const std::set<NodeId>& readers)
{
    return readers.empty() || readers.contains(node);
}

QuantizationPoint forReaders(const Model& model, const QuantizationPoint& point, const std::set<NodeId>& readers)
{
    QuantizationPoint only = point;
    const ValueId read = pointValue(model, point);
    std::erase_if(only.directlyQuantized, [&](NodeId node) { return !isFor(node, readers); });
    if (isFor(point.node, readers))
        return only;
    for (const NodeId node : only.directlyQuantized) {
        const auto& inputs = model.node(node).inputs;
        const auto port = std::ranges::find(inputs, read);
        if (port == inputs.end())
            continue;
        only.node = node;
        only.port = static_cast<std::uint32_t>(port - inputs.begin());
        return only;
    }
    return point;
}

} // namespace duo
