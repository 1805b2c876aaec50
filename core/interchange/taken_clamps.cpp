// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/taken_clamps.h"

#include "core/interchange/found_quantizers.h"
#include "core/model/code_operators.h"
#include "core/model/code_range.h"
#include "core/model/node_inputs.h"
#include "core/model/op_facts.h"
#include "core/onnx/metadata_keys.h"
#include "core/support/digits.h"
#include "core/support/letters.h"

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

/// What a value is before nodes move it, in codes or not.
ValueId unmoved(const Model& model, ValueId id)
{
    for (int depth = 0; depth < kDeepest; ++depth) {
        id = behindFloatBarriers(model, id);
        const NodeId maker = model.value(id).producer;
        const bool isSame = maker.valid() && (onlyMoves(model.node(maker)) || isQuantizer(model.node(maker)));
        if (!isSame || !inputAt(model.node(maker), 0).valid())
            break;
        id = model.node(maker).inputs[0];
    }
    return id;
}

/// No tool drops a clamp there: of a constant, of what enters the model, and of a mask, which Where gives.
bool comesWithoutClamp(const Model& model, ValueId id)
{
    const ValueId origin = unmoved(model, id);
    const NodeId maker = model.value(origin).producer;
    return model.constant(origin) != nullptr || !maker.valid() || isAnyOf(model.node(maker), {"Where"});
}

bool speaksOfClamp(std::string_view name)
{
    const std::string text = lowered(name);
    return text.find("relu") != std::string::npos || text.find("clip") != std::string::npos;
}

/// "/net/Conv_3" of "/net/Conv_3_output_0", "net/Conv" of "net/Conv:0": the node that exporters of PyTorch and
/// TensorFlow call a value by. "" of other names.
std::string_view nodeInName(std::string_view name)
{
    for (const std::string_view port : {"_output_", ":"}) {
        const std::size_t end = name.rfind(port);
        if (end != std::string_view::npos && allDigits(name.substr(end + port.size())))
            return name.substr(0, end);
    }
    return {};
}

/// "Conv_output_0" of a Conv, "node_conv2d" that gives "conv2d".
bool isCalledByMaker(std::string_view name, const Node& maker)
{
    const std::string_view own = maker.localName;
    const std::string_view leaf = name.substr(name.rfind('/') + 1);
    const bool namesType
        = lowered(leaf).starts_with(lowered(maker.opType)) && !speaksOfClamp(leaf.substr(maker.opType.size()));
    return namesType || (!own.empty() && (name == own || nodeInName(name) == own))
        || (own.size() > name.size() && own.ends_with(name) && own[own.size() - name.size() - 1] == '_');
}

/// A tool that drops a clamp lets the node before it give the value that the clamp gave, under that name.
bool mayBeOfClamp(const Model& model, ValueId id)
{
    const std::string name = nameBeforeCodes(model.value(id).name);
    const NodeId maker = model.value(id).producer;
    if (!maker.valid() || isCalledByMaker(name, model.node(maker)))
        return false;
    if (speaksOfClamp(name.substr(name.rfind('/') + 1)))
        return true;
    const bool isOurs = !metadataValue(model.metadata, kProducerKey).empty(); // exports keep their clamps
    return !isOurs && nodeInName(name).empty() && !comesWithoutClamp(model, id);
}

/// An operator on codes gives them under its own name, whatever was dropped behind it.
bool mayBeOfClamp(const CodeOperator& known)
{
    return !isOneOf(known.floatType, {"Where", "AveragePool", "GlobalAveragePool"});
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

/// The lowest number that codes at a port stand for, whatever the data are: of a constant, or what its operator gives.
std::optional<float> lowestAt(const Model& model, const Node& node, const CodePort& port)
{
    const NodeId maker = model.value(node.inputs[port.value]).producer;
    const bool isQuantized = maker.valid() && isAnyOf(model.node(maker), {"QuantizeLinear"});
    const ValueId value = isQuantized ? inputAt(model.node(maker), 0) : node.inputs[port.value];
    if (!value.valid())
        return std::nullopt;
    const NodeId source = model.value(value).producer;
    if (source.valid() && isAnyOf(model.node(source), {"Erf", "Tanh", "Sin", "Cos"}))
        return -1.0F;
    const Tensor* constant = model.constant(value);
    const std::vector<float> numbers = constant == nullptr ? std::vector<float>() : toFloats(*constant);
    if (numbers.empty())
        return std::nullopt;
    const float lowest = *std::ranges::min_element(numbers);
    if (isFloating(constant->type))
        return lowest;
    const auto range = rangeOf(model, node, port.scale, port.zeroPoint, ElementType::UInt8);
    const auto limits = codeRange(constant->type);
    if (!range || !limits)
        return std::nullopt;
    const float step = toFloats(*constantAt(model, node, port.scale)).front(); // of the range
    return range->low + step * (lowest - static_cast<float>(limits->lowest));
}

/// Whether a sum is below what its own codes tell from zero: 1 + Erf is not, though Erf is.
bool sumMayBeNegative(const Model& model, const Node& node, const CodeOperator& known)
{
    float sum = 0;
    for (const CodePort& port : known.inputs) {
        const auto low = lowestAt(model, node, port);
        if (!low)
            return true;
        sum += *low;
    }
    const Tensor* step = constantAt(model, node, known.resultScale);
    const std::vector<float> steps = step == nullptr ? std::vector<float>() : toFloats(*step);
    return steps.size() != 1 || sum < -steps.front();
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
    if (const auto known = codeOperator(node)) {
        const bool mayBe = !givesNoNegative(known->floatType)
            && (!keepsSign(known->floatType) || codesMayBeNegative(model, node, *known));
        return mayBe && (known->floatType != "Add" || sumMayBeNegative(model, node, *known));
    }
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
    if (!known && !inputAt(node, 0).valid())
        return std::nullopt;
    const ValueId value = known ? node.outputs[0] : behindFloatBarriers(model, node.inputs[0]);
    const bool isNeeded = known ? resultMayBeNegative(model, node, kDeepest) : mayBeNegative(model, value, kDeepest);
    if (!isNeeded || !(known ? mayBeOfClamp(*known) : mayBeOfClamp(model, value)))
        return std::nullopt;
    const float step = toFloats(*constantAt(model, node, scale)).front(); // of the range
    const bool endsAtSix = std::abs(range->high - kSix) < step / 2;
    return endsAtSix ? ClampRange{0, kSix} : ClampRange{0, std::numeric_limits<float>::infinity()};
}

} // namespace duo
