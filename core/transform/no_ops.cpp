// SPDX-License-Identifier: Apache-2.0
// Nodes that give what they are given. What operators mean is said in ONNX's Operators.md.
#include "core/model/constant_conditions.h"
#include "core/model/key_names.h"
#include "core/model/op_facts.h"
#include "core/model/topological_order.h"
#include "core/support/one_of.h"
#include "core/transform/axis_order.h"
#include "core/transform/common_passes.h"
#include "core/transform/elimination.h"
#include "core/transform/known_ranks.h"
#include "core/transform/known_shapes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>

namespace duo {
namespace {

bool isOnnx(const Node& node, std::string_view opType)
{
    return node.domain.empty() && node.opType == opType;
}

bool hasReadOutputBeyondFirst(const Model& model, const Node& node)
{
    return std::any_of(node.outputs.begin() + 1, node.outputs.end(), [&](ValueId output) {
        return output.valid() && (!model.value(output).uses.empty() || model.value(output).isOutput);
    });
}

/// Takes out every node of which an input stands for its output; invalid: none does. Where only one of several can go,
/// whatever the order of the file the same.
template <typename Given> PassResult bypassTo(const PassScene& scene, const Given& given)
{
    Elimination elimination(scene);
    std::vector<NodeId> found;
    std::ranges::copy_if(scene.model.order, std::back_inserter(found), [&](NodeId id) {
        const Node& node = scene.model.node(id);
        return !node.inputs.empty() && node.inputs[0].valid() && !node.outputs.empty() && elimination.mayChange(id)
            && !hasReadOutputBeyondFirst(scene.model, node) && given(node).valid();
    });
    for (const NodeId id : inStableOrder(scene.model, std::move(found)))
        elimination.bypass(id, given(scene.model.node(id)));
    return std::move(elimination).result();
}

/// Where the test holds it is the first input.
template <typename Test> PassResult bypassWhere(const PassScene& scene, const Test& test)
{
    return bypassTo(scene, [&](const Node& node) { return test(node) ? node.inputs[0] : ValueId(); });
}

/// Whole numbers at an input; empty if they are not known.
std::vector<std::int64_t> intsAt(const Model& model, const Node& node, std::size_t port)
{
    const Tensor* tensor = fixedInput(model, node, port);
    return tensor ? toInts(*tensor) : std::vector<std::int64_t>();
}

bool movesNothing(const Node& transpose)
{
    const auto order = axisOrderOf(transpose);
    return order && isInOrder(*order);
}

/// Nothing to cut off in any size: from the first element to what no size reaches.
bool isWholeSlice(const Model& model, const Node& node)
{
    const auto starts = intsAt(model, node, 1);
    const auto ends = intsAt(model, node, 2);
    const auto steps = intsAt(model, node, 4);
    const bool hasSteps = node.inputs.size() > 4 && node.inputs[4].valid();
    return !starts.empty() && !ends.empty() && std::ranges::all_of(starts, [](auto start) { return start == 0; })
        && std::ranges::all_of(ends, [](auto end) { return end >= std::numeric_limits<std::int32_t>::max(); })
        && (!hasSteps || (!steps.empty() && std::ranges::all_of(steps, [](auto step) { return step == 1; })));
}

template <typename Number> bool areAll(const std::vector<Number>& numbers, std::int64_t wanted)
{
    return !numbers.empty()
        && std::ranges::all_of(numbers, [&](Number number) { return number == static_cast<Number>(wanted); });
}

/// It is one number, and does not give the other operand more dimensions.
bool isOneNumber(const Tensor& constant, ValueId other, const KnownRanks& ranks)
{
    const auto rank = ranks.of(other);
    return constant.elements() == 1
        && (constant.dims.empty() || (rank && *rank >= static_cast<std::int64_t>(constant.dims.size())));
}

/// The second input is one number that changes nothing, and does not give the first one more dimensions.
bool isNeutral(const Model& model, const Node& node, const KnownRanks& ranks)
{
    const bool isOfOne = isAnyOf(node, {"Mul", "Div", "Pow"});
    if (!isOfOne && !isOnnx(node, "Sub"))
        return false;
    const Tensor* constant = fixedInput(model, node, 1);
    if (constant == nullptr || !isOneNumber(*constant, node.inputs[0], ranks))
        return false;
    const std::vector<float> value = toFloats(*constant);
    const std::vector<std::int64_t> whole = toInts(*constant);
    const float wanted = isOfOne ? 1.0F : 0.0F;
    if (!whole.empty())
        return whole.front() == static_cast<std::int64_t>(wanted);
    return !value.empty() && value.front() == wanted && !std::signbit(value.front());
}

/// Every reader gives the same for 0 and -0.
bool isReadWithoutSignOfZero(const Model& model, ValueId value)
{
    return !model.value(value).isOutput && std::ranges::all_of(model.value(value).uses, [&](const Use& use) {
        return isAnyOf(model.node(use.node), {"Exp", "LogSoftmax", "Softmax"});
    });
}

struct Summand {
    ValueId value;
    const Tensor* zeros; // what is added to it
};

/// A parameter of a module, as far as its name tells; another training would give it other values.
bool isOfModule(std::string_view name)
{
    return isKeyName(name, Naming::PyTorch) && !keyOwner(name).empty();
}

/// Of an Add of nothing but zeros, which make a 0 of -0, where readers or the type do not tell them apart.
std::optional<Summand> summandOfZeros(const Model& model, const Node& node)
{
    if (!isOnnx(node, "Add") || node.inputs.size() != 2 || !node.outputs[0].valid())
        return std::nullopt;
    for (const std::size_t port : {0U, 1U}) {
        const Tensor* constant = fixedInput(model, node, port);
        const ValueId other = node.inputs[1 - port];
        if (constant == nullptr || !other.valid() || isOfModule(model.value(node.inputs[port]).name))
            continue;
        const bool isWhole = !isFloating(constant->type);
        if ((isWhole || isReadWithoutSignOfZero(model, node.outputs[0]))
            && (isWhole ? areAll(toInts(*constant), 0) : areAll(toFloats(*constant), 0)))
            return Summand{other, constant};
    }
    return std::nullopt;
}

bool isSameType(const Model& model, const Node& node)
{
    const ElementType from = model.value(node.inputs[0]).type.element;
    return from != ElementType::Undefined
        && node.intAttribute("to", 0) == static_cast<std::int64_t>(static_cast<std::int32_t>(from));
}

bool isNoOp(const Model& model, const Node& node, const KnownRanks& ranks)
{
    if (isAnyOf(node, {"Concat", "Sum", "Max", "Min", "Mean"}))
        return node.inputs.size() == 1;
    if (isOnnx(node, "Cast"))
        return isSameType(model, node);
    if (isOnnx(node, "Transpose"))
        return movesNothing(node);
    if (isOnnx(node, "Slice"))
        return isWholeSlice(model, node);
    if (isOnnx(node, "Pad"))
        return areAll(intsAt(model, node, 1), 0);
    if (isOnnx(node, "Tile"))
        return areAll(intsAt(model, node, 1), 1);
    return isNeutral(model, node, ranks);
}

bool isOutsideTraining(const Model& model, const Node& node)
{
    constexpr std::int64_t kFirstSilent = 7; // before, an attribute said so
    if (!isOnnx(node, "Dropout") || model.opset() < kFirstSilent)
        return false;
    const bool isTold = node.inputs.size() > 2 && node.inputs[2].valid();
    return !isTold || areAll(intsAt(model, node, 2), 0);
}

/// What keeps elements and their order gives the sizes that it is given, known or not.
bool givesSizesOf(const KnownShapes& shapes, const Node& node, ValueId input)
{
    const Extents* before = shapes.of(input);
    const Extents* after = shapes.of(node.outputs[0]);
    return before != nullptr && after != nullptr && *before == *after;
}

const std::vector<Dim>* sizesOf(const PassScene& scene, ValueId value)
{
    const auto& shape = scene.sizes->of(value).shape;
    const bool isKnown = shape && std::ranges::all_of(*shape, [](const Dim& dim) { return dim.size.has_value(); });
    return isKnown ? &*shape : nullptr;
}

bool areOfOneSize(const PassScene& scene, ValueId a, ValueId b)
{
    const auto* before = sizesOf(scene, a);
    const auto* after = sizesOf(scene, b);
    return before != nullptr && after != nullptr && *before == *after;
}

/// What keeps elements and their order, and here the size too.
bool keepsSize(const PassScene& scene, const Node& node)
{
    const bool isSlice = isOnnx(node, "Slice");
    if (!isSlice && !has(node, mark::kReshapes) && !isOnnx(node, "Expand"))
        return false;
    const auto steps = intsAt(scene.model, node, 4);
    if (isSlice && node.inputs.size() > 4 && node.inputs[4].valid()
        && (steps.empty() || std::ranges::any_of(steps, [](auto step) { return step < 1; })))
        return false; // turned round
    return areOfOneSize(scene, node.inputs[0], node.outputs[0]);
}

using Sizes = std::vector<std::int64_t>;

std::optional<Sizes> numbersOf(const PassScene& scene, ValueId value)
{
    const auto* dims = value.valid() ? sizesOf(scene, value) : nullptr;
    if (dims == nullptr)
        return std::nullopt;
    Sizes sizes;
    for (const Dim& dim : *dims)
        sizes.push_back(*dim.size);
    return sizes;
}

/// Sizes of what is spread over each other; nothing where they do not fit.
std::optional<Sizes> spread(Sizes a, Sizes b)
{
    const std::size_t rank = std::max(a.size(), b.size());
    a.insert(a.begin(), rank - a.size(), 1);
    b.insert(b.begin(), rank - b.size(), 1);
    for (std::size_t i = 0; i < rank; ++i) {
        if (a[i] != b[i] && a[i] != 1 && b[i] != 1)
            return std::nullopt;
        a[i] = a[i] == 1 ? b[i] : a[i];
    }
    return a;
}

/// The reader gives the same size when it is given the Expand's input, which it spreads itself.
bool spreadsItself(const PassScene& scene, const Use& use, ValueId expanded, ValueId input)
{
    const Node& reader = scene.model.node(use.node);
    if (!isAnyOf(reader,
            {"Add", "And", "Div", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Max", "Mean", "Min",
                "Mod", "Mul", "Or", "Pow", "Sub", "Sum", "Where", "Xor"})
        || reader.outputs.empty() || !reader.outputs[0].valid())
        return false;
    std::optional<Sizes> all = Sizes();
    for (const ValueId each : reader.inputs) {
        const auto sizes = numbersOf(scene, each == expanded ? input : each);
        all = sizes && all ? spread(*std::move(all), *sizes) : std::nullopt;
    }
    return all && all == numbersOf(scene, reader.outputs[0]);
}

/// Takes out every Expand all of whose readers spread its input themselves; of each reader one at a time.
PassResult removeExpands(const PassScene& scene)
{
    Elimination elimination(scene);
    std::vector<bool> isChanged(scene.model.nodes.size());
    for (const NodeId id : scene.model.order) {
        const Node& node = scene.model.node(id);
        if (!isOnnx(node, "Expand") || node.inputs.empty() || !node.inputs[0].valid() || node.outputs.empty()
            || !node.outputs[0].valid() || !elimination.mayChange(id) || scene.model.value(node.outputs[0]).isOutput)
            continue;
        const auto& uses = scene.model.value(node.outputs[0]).uses;
        const bool isSpread = std::ranges::all_of(uses, [&](const Use& use) {
            return !isChanged[use.node.index] && spreadsItself(scene, use, node.outputs[0], node.inputs[0]);
        });
        if (!isSpread || !elimination.bypass(id, node.inputs[0]))
            continue;
        for (const Use& use : uses)
            isChanged[use.node.index] = true;
    }
    return std::move(elimination).result();
}

} // namespace

PassResult removeIdentities(const PassScene& scene)
{
    return bypassWhere(scene, [](const Node& node) { return isOnnx(node, "Identity"); });
}

PassResult removeDropouts(const PassScene& scene)
{
    return bypassWhere(scene, [&](const Node& node) { return isOutsideTraining(scene.model, node); });
}

PassResult removeNoOps(const PassScene& scene)
{
    const KnownRanks ranks(scene.model);
    std::optional<KnownShapes> shapes; // found when they are asked for first
    const auto givesSizes = [&](const Node& node, ValueId input) {
        if (!shapes)
            shapes.emplace(scene.model);
        return givesSizesOf(*shapes, node, input);
    };
    return bypassTo(scene, [&](const Node& node) {
        if (const auto summand = summandOfZeros(scene.model, node)) {
            const bool isThere
                = isOneNumber(*summand->zeros, summand->value, ranks) || givesSizes(node, summand->value);
            return isThere ? summand->value : ValueId();
        }
        const bool isOfSizes = has(node, mark::kReshapes) || isOnnx(node, "Expand");
        const bool goes = isOfSizes ? givesSizes(node, node.inputs[0]) : isNoOp(scene.model, node, ranks);
        return goes ? node.inputs[0] : ValueId();
    });
}

PassResult removeSameSize(const PassScene& scene)
{
    if (scene.sizes == nullptr)
        return {};
    PassResult same = bypassTo(scene, [&](const Node& node) {
        const auto summand = summandOfZeros(scene.model, node);
        const ValueId given = summand ? summand->value : node.inputs[0];
        const bool goes = summand ? areOfOneSize(scene, summand->value, node.outputs[0]) : keepsSize(scene, node);
        return goes ? given : ValueId();
    });
    return same.edits ? same : removeExpands(scene); // the other ones in the next round
}

} // namespace duo
