// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/taken_clamps.h"

#include "core/model/code_operators.h"
#include "core/model/code_range.h"
#include "core/model/node_inputs.h"
#include "core/model/op_facts.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr int kDeepest = 8; // nodes that are looked through

/// What all codes stand for, where one scale is for all; nothing for others.
std::optional<ClampRange> rangeOf(
    const Model& model, const Node& node, std::uint32_t scalePort, std::uint32_t zeroPort, ElementType codes)
{
    const Tensor* scale = constantAt(model, node, scalePort);
    const Tensor* zero = constantAt(model, node, zeroPort);
    const auto limits = codeRange(zero == nullptr ? codes : zero->type);
    if (scale == nullptr || !limits)
        return std::nullopt;
    const std::vector<float> steps = toFloats(*scale);
    const std::vector<std::int64_t> zeros = zero == nullptr ? std::vector<std::int64_t>{0} : toInts(*zero);
    if (steps.size() != 1 || zeros.size() != 1)
        return std::nullopt;
    const float step = steps.front();
    const std::int64_t at = zeros.front();
    return ClampRange{step * static_cast<float>(limits->lowest - at), step * static_cast<float>(limits->highest - at)};
}

bool onlyMoves(const Node& node)
{
    return opFacts(node).passing == Passing::Layout || movesCodes(node);
}

/// As it is, or moved: no clamp stood between the input and what reads it.
bool entersModel(const Model& model, ValueId id)
{
    for (int depth = 0; depth < kDeepest; ++depth) {
        const Value& value = model.value(id);
        if (!value.producer.valid())
            return model.constant(id) == nullptr;
        const Node& maker = model.node(value.producer);
        if (!onlyMoves(maker) || maker.inputs.empty() || !maker.inputs[0].valid())
            return false;
        id = maker.inputs[0];
    }
    return false;
}

bool mayBeNegative(const Model& model, ValueId value, int depth);

bool anyMayBeNegative(const Model& model, const Node& node, int depth)
{
    return std::ranges::any_of(
        node.inputs, [&](ValueId input) { return input.valid() && mayBeNegative(model, input, depth); });
}

/// Of an operator on codes whose float form keeps numbers that are not negative so: its inputs' codes.
bool codesMayBeNegative(const Model& model, const Node& node, const CodeOperator& known)
{
    return std::ranges::any_of(known.inputs, [&](const CodePort& port) {
        const auto range = rangeOf(model, node, port.scale, port.zeroPoint, ElementType::UInt8);
        return !range || range->low < 0;
    });
}

bool givesNoNegative(const std::string_view opType)
{
    return isOneOf(opType, {"Sigmoid", "HardSigmoid", "Softmax", "Abs", "Exp", "Sqrt", "Softplus", "ReduceL2"});
}

/// Whose result is not negative where no input is.
bool keepsSign(const std::string_view opType)
{
    return isOneOf(opType,
        {"Add", "Mul", "Concat", "Max", "Min", "Where", "AveragePool", "GlobalAveragePool", "GlobalMaxPool",
            "ReduceMean", "ReduceMax", "ReduceSum", "Sum"});
}

bool resultMayBeNegative(const Model& model, const Node& node, int depth)
{
    if (const auto known = codeOperator(node))
        return !givesNoNegative(known->floatType)
            && (!keepsSign(known->floatType) || codesMayBeNegative(model, node, *known));
    if (has(node, mark::kClamp) && clampRange(model, node).low >= 0)
        return false;
    if (node.opType == "DequantizeLinear") {
        const auto range = rangeOf(model, node, 1, 2, ElementType::UInt8);
        return !range || range->low < 0;
    }
    if (!node.domain.empty() || depth == 0)
        return true;
    if (givesNoNegative(node.opType))
        return false;
    if (onlyMoves(node))
        return node.inputs.empty() || !node.inputs[0].valid() || mayBeNegative(model, node.inputs[0], depth - 1);
    return !keepsSign(node.opType) || anyMayBeNegative(model, node, depth - 1);
}

bool mayBeNegative(const Model& model, ValueId id, int depth)
{
    const Value& value = model.value(id);
    if (const Tensor* tensor = model.constant(id)) {
        const std::vector<float> values = tensor->elements() <= 1 ? toFloats(*tensor) : std::vector<float>();
        return values.empty() || values.front() < 0;
    }
    return !value.producer.valid() || resultMayBeNegative(model, model.node(value.producer), depth);
}

} // namespace

std::optional<ClampRange> takenClamp(
    const Model& model, const Node& node, std::uint32_t scale, std::uint32_t zeroPoint, ElementType codes)
{
    constexpr float kSix = 6; // where Relu6 ends
    const auto range = rangeOf(model, node, scale, zeroPoint, codes);
    if (!range || range->low != 0)
        return std::nullopt;
    const auto known = codeOperator(node);
    if (!known && (node.inputs.empty() || !node.inputs[0].valid()))
        return std::nullopt;
    if (!known) {
        const ValueId value = node.inputs[0];
        if (entersModel(model, value) || model.constant(value) != nullptr)
            return std::nullopt;
    }
    const bool isNeeded
        = known ? resultMayBeNegative(model, node, kDeepest) : mayBeNegative(model, node.inputs[0], kDeepest);
    if (!isNeeded)
        return std::nullopt;
    const float step = toFloats(*constantAt(model, node, scale)).front(); // of the range
    const bool endsAtSix = std::abs(range->high - kSix) < step / 2;
    return endsAtSix ? ClampRange{0, kSix} : ClampRange{0, std::numeric_limits<float>::infinity()};
}

} // namespace duo
