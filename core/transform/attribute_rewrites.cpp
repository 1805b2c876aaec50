// SPDX-License-Identifier: Apache-2.0
#include "core/transform/rewrites.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace duo {
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
