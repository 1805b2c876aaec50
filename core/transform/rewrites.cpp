// SPDX-License-Identifier: Apache-2.0
#include "core/transform/rewrites.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace duo {

/// Up to opset 12 these work along all dimensions from `axis` on as one; from 13 on along `axis` alone. The same for
/// the last dimension; otherwise these dimensions are made one around the node.
void axisBecomesOne(NodeRewrite& rewrite)
{
    const std::int64_t axis = rewrite.read<std::int64_t>("axis").value_or(1);
    if (!rewrite.hasInput(0) || rewrite.node().outputs.empty() || !rewrite.node().outputs.front().valid())
        return rewrite.refuse("it has no input or no output");
    const auto rank = rewrite.rankOfInput(0);
    if (rank && (axis >= *rank || axis < -*rank))
        return rewrite.refuse("its axis does not fit its input");
    const bool isLast = axis == -1 || (rank && axis == *rank - 1);
    if (isLast && rewrite.node().attribute("axis") != nullptr)
        return;
    rewrite.set("axis", isLast ? axis : std::int64_t{-1});
    if (isLast)
        return;
    const std::string input = rewrite.inputName(0);
    rewrite.giveInput(0, rewrite.addHelper(NodeRewrite::Side::Before, "Flatten", {input}, {{"axis", axis}}));
    const std::string shape = rewrite.addHelper(NodeRewrite::Side::After, "Shape", {input});
    rewrite.takeOverOutput("Reshape", shape);
}

namespace {

/// The inputs of Upsample and of the first Resize are (X, scales), now they are (X, roi, scales).
void moveScales(NodeRewrite& rewrite)
{
    const std::string scales = rewrite.inputName(1);
    if (scales.empty())
        return rewrite.refuse("it names no scales");
    rewrite.giveInput(1, "");
    rewrite.giveInput(2, scales);
}

bool isNearest(NodeRewrite& rewrite)
{
    const std::string mode = rewrite.read<std::string>("mode").value_or("nearest");
    if (mode != "nearest" && mode != "linear")
        rewrite.refuse("its mode '" + mode + "' is not known");
    return mode == "nearest";
}

/// Position i of the output is position i / scale of the input; between two of them, the one before it is the nearest.
void sayCoordinates(NodeRewrite& rewrite, const char* nearest)
{
    rewrite.set("coordinate_transformation_mode", std::string("asymmetric"));
    if (isNearest(rewrite))
        rewrite.set("nearest_mode", std::string(nearest));
}

/// Resize of opset 10, where a dimension shrinks, takes the position behind.
void firstResize(NodeRewrite& rewrite)
{
    const char* nearest = "floor";
    if (isNearest(rewrite)) {
        const Tensor* constant = rewrite.hasInput(1) ? rewrite.model().constant(rewrite.node().inputs[1]) : nullptr;
        if (constant == nullptr)
            return rewrite.refuse("its scales are no constants, so that it is not known whether it grows or shrinks");
        const std::vector<float> scales = toFloats(*constant);
        const bool grows = std::ranges::any_of(scales, [](float scale) { return scale > 1; });
        const bool shrinks = std::ranges::any_of(scales, [](float scale) { return scale < 1; });
        if (grows && shrinks)
            return rewrite.refuse("it grows in one dimension and shrinks in another");
        nearest = shrinks ? "ceil" : "floor";
    }
    moveScales(rewrite);
    sayCoordinates(rewrite, nearest);
}

} // namespace

void upsampleBecomesResize(NodeRewrite& rewrite)
{
    if (rewrite.opset() < 9) {
        const auto scales = rewrite.take<std::vector<float>>("scales");
        if (!scales || rewrite.node().inputs.size() != 1)
            return rewrite.refuse("it names no scales, or has them as an input already");
        rewrite.giveFloats(2, "scales", *scales);
    } else {
        moveScales(rewrite);
    }
    sayCoordinates(rewrite, "floor");
    rewrite.become("Resize");
}

/// A mode that opset 13 left out is the half-pixel one with halves rounded up.
void coordinatesAreSaid(NodeRewrite& rewrite)
{
    if (rewrite.opset() < 11)
        return firstResize(rewrite);
    if (rewrite.read<std::string>("coordinate_transformation_mode") != "tf_half_pixel_for_nn")
        return;
    if (rewrite.read<std::string>("nearest_mode") != "floor" || !isNearest(rewrite))
        return rewrite.refuse("tf_half_pixel_for_nn without nearest_mode floor is not known");
    rewrite.set("coordinate_transformation_mode", std::string("half_pixel"));
    rewrite.set("nearest_mode", std::string("round_prefer_ceil"));
}

namespace {

bool hasOneElement(const NodeRewrite& rewrite, std::size_t port)
{
    const Tensor* constant = rewrite.hasInput(port) ? rewrite.model().constant(rewrite.node().inputs[port]) : nullptr;
    return constant != nullptr && constant->elements() == 1;
}

/// Gives the second input `count` dimensions of size 1 behind its own, so that it lines up from the end.
void addDimensionsBehind(NodeRewrite& rewrite, std::int64_t rank, std::int64_t count)
{
    std::vector<std::int64_t> axes(static_cast<std::size_t>(count));
    std::iota(axes.begin(), axes.end(), rank);
    const std::string axesName = rewrite.addInts("axes", axes);
    rewrite.giveInput(1, rewrite.addHelper(NodeRewrite::Side::Before, "Unsqueeze", {rewrite.inputName(1), axesName}));
}

/// Lines the second input up with the first from dimension `axis` on.
void alignSecondInput(NodeRewrite& rewrite, std::int64_t axis)
{
    constexpr std::int64_t kMostDimensions = 64;
    const auto first = rewrite.rankOfInput(0);
    const auto second = rewrite.rankOfInput(1);
    if (!first || !second)
        return rewrite.refuse("how many dimensions its inputs have is not known");
    const std::int64_t behind = axis < 0 || axis > *first ? -1 : *first - axis - *second;
    if (behind < 0 || behind > kMostDimensions)
        return rewrite.refuse("its second input does not fit the first");
    if (behind > 0)
        addDimensionsBehind(rewrite, *second, behind);
}

} // namespace

/// Without an axis the second input lines up from the end, as it does now.
void broadcastBecomesImplicit(NodeRewrite& rewrite)
{
    const bool broadcasts = rewrite.take<std::int64_t>("broadcast").value_or(0) != 0;
    const auto axis = rewrite.take<std::int64_t>("axis");
    if (rewrite.node().inputs.size() != 2)
        return rewrite.refuse("it has not two inputs");
    if (broadcasts && axis && !hasOneElement(rewrite, 1))
        alignSecondInput(rewrite, *axis);
}

void summandBroadcasts(NodeRewrite& rewrite)
{
    rewrite.drop("broadcast");
}

/// A slope of several elements stands for the channels, dimension 1.
void slopeBroadcasts(NodeRewrite& rewrite)
{
    if (!hasOneElement(rewrite, 1))
        alignSecondInput(rewrite, 1);
}

namespace {

using Ints = std::vector<std::int64_t>;

} // namespace

void axesBecomeInput(NodeRewrite& rewrite)
{
    const auto axes = rewrite.take<Ints>("axes");
    if (rewrite.hasInput(1))
        return rewrite.refuse("it has axes as an input already");
    if (axes && !axes->empty())
        return rewrite.giveInts(1, "axes", *axes);
    if (rewrite.node().opType == "Unsqueeze")
        rewrite.refuse("it names no axes");
}

void sizesBecomeInput(NodeRewrite& rewrite)
{
    const auto sizes = rewrite.take<Ints>("split");
    if (rewrite.node().inputs.size() > 1)
        return rewrite.refuse("it has sizes as an input already");
    if (rewrite.opset() < 2 && !rewrite.read<std::int64_t>("axis"))
        return rewrite.refuse("it names no axis");
    if (sizes && !sizes->empty())
        rewrite.giveInts(1, "split", *sizes);
}

/// Bounds that bound nothing are left out, as the old defaults did.
void boundsBecomeInputs(NodeRewrite& rewrite)
{
    const auto least = rewrite.take<float>("min");
    const auto most = rewrite.take<float>("max");
    if (rewrite.node().inputs.size() > 1)
        return rewrite.refuse("it has bounds as inputs already");
    if (least && *least != std::numeric_limits<float>::lowest())
        rewrite.giveScalar(1, "min", *least);
    if (most && *most != std::numeric_limits<float>::max())
        rewrite.giveScalar(2, "max", *most);
}

void limitsBecomeInputs(NodeRewrite& rewrite)
{
    const auto starts = rewrite.take<Ints>("starts");
    const auto ends = rewrite.take<Ints>("ends");
    const auto axes = rewrite.take<Ints>("axes");
    if (!starts || !ends || starts->size() != ends->size() || (axes && axes->size() != starts->size()))
        return rewrite.refuse("its starts, ends and axes do not fit each other");
    rewrite.giveInts(1, "starts", *starts);
    rewrite.giveInts(2, "ends", *ends);
    if (axes)
        rewrite.giveInts(3, "axes", *axes);
}

void paddingBecomesInput(NodeRewrite& rewrite)
{
    const auto pads = rewrite.take<Ints>("pads");
    const auto value = rewrite.take<float>("value");
    if (!pads)
        return rewrite.refuse("it names no pads");
    rewrite.giveInts(1, "pads", *pads);
    if (value && *value != 0)
        rewrite.giveScalar(2, "value", *value);
}

void countBecomesInput(NodeRewrite& rewrite)
{
    const auto count = rewrite.take<std::int64_t>("k");
    if (!count)
        return rewrite.refuse("it names no k");
    rewrite.giveInts(1, "k", std::array{*count});
}

void shapeBecomesInput(NodeRewrite& rewrite)
{
    const auto shape = rewrite.take<Ints>("shape");
    if (!shape || rewrite.node().inputs.size() > 1)
        return rewrite.refuse("it names no shape, or has it as an input already");
    rewrite.giveInts(1, "shape", *shape);
}

void typeBecomesNumber(NodeRewrite& rewrite)
{
    constexpr std::array kNames = std::to_array<std::pair<std::string_view, ElementType>>({
        {"FLOAT", ElementType::Float32},
        {"UINT8", ElementType::UInt8},
        {"INT8", ElementType::Int8},
        {"UINT16", ElementType::UInt16},
        {"INT16", ElementType::Int16},
        {"INT32", ElementType::Int32},
        {"INT64", ElementType::Int64},
        {"BOOL", ElementType::Bool},
        {"FLOAT16", ElementType::Float16},
        {"DOUBLE", ElementType::Float64},
        {"UINT32", ElementType::UInt32},
        {"UINT64", ElementType::UInt64},
    });
    const auto wanted = rewrite.read<std::string>("to");
    for (const auto& [name, type] : kNames) {
        if (wanted == name)
            return rewrite.set("to", std::int64_t{static_cast<std::int32_t>(type)});
    }
    rewrite.refuse("it casts to no known type");
}

void axisBecomesRequired(NodeRewrite& rewrite)
{
    if (rewrite.node().attribute("axis") == nullptr)
        rewrite.set("axis", std::int64_t{1});
}

void powerBecomesInteger(NodeRewrite& rewrite)
{
    const auto power = rewrite.read<float>("p");
    if (!power)
        return;
    if (*power != std::floor(*power) || *power < 1 || *power > 1024)
        return rewrite.refuse("its p is no integer");
    rewrite.set("p", static_cast<std::int64_t>(*power));
}

void defaultsBecomeExact(NodeRewrite& rewrite)
{
    if (rewrite.node().attribute("alpha") == nullptr)
        rewrite.set("alpha", 1.6732F);
    if (rewrite.node().attribute("gamma") == nullptr)
        rewrite.set("gamma", 1.0507F);
}

void sequenceBecomesOptional(NodeRewrite& rewrite)
{
    rewrite.drop("output_sequence");
}

/// Until opset 8, `spatial=0` has statistics for every element; until 6, `is_test=1` asks for what is now the rule.
void trainingFormEnds(NodeRewrite& rewrite)
{
    if (rewrite.take<std::int64_t>("spatial").value_or(1) != 1)
        return rewrite.refuse("it normalizes every element by itself (spatial=0)");
    if (rewrite.opset() >= 7)
        return;
    if (rewrite.take<std::int64_t>("is_test").value_or(0) == 0)
        return rewrite.refuse("it is in training mode");
    for (std::size_t port = 1; port < rewrite.node().outputs.size(); ++port) {
        if (rewrite.isRead(port))
            return rewrite.refuse("its statistics are read");
        rewrite.omitOutput(port);
    }
}

/// Outside training the ratio means nothing; the mask had other types.
void ratioEnds(NodeRewrite& rewrite)
{
    if (rewrite.opset() < 7 && rewrite.take<std::int64_t>("is_test").value_or(0) == 0)
        return rewrite.refuse("it is in training mode");
    rewrite.drop("ratio");
    if (rewrite.isRead(1))
        return rewrite.refuse("its mask is read");
    rewrite.omitOutput(1);
}

void nameChanges(NodeRewrite& rewrite)
{
    rewrite.become("ScatterElements");
}

} // namespace duo
