// SPDX-License-Identifier: Apache-2.0
// What stands beside an operator and can be a part of it: what is put around the input of a convolution or a pool, a
// vector added to a matrix product.
#include "core/model/constant_conditions.h"
#include "core/model/held_tensors.h"
#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/transform/common_passes.h"
#include "core/transform/elimination.h"
#include "core/transform/gemm_fusion.h"
#include "core/transform/known_ranks.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <variant>

namespace duo {
namespace {

using Numbers = std::vector<std::int64_t>;

std::string modeOf(const Node& node, const char* name, const char* fallback)
{
    const Attribute* attribute = node.attribute(name);
    const auto* text = attribute != nullptr ? std::get_if<std::string>(&attribute->value) : nullptr;
    return text != nullptr ? *text : attribute != nullptr ? std::string() : fallback;
}

/// What a Pad puts around its input.
struct Border {
    Numbers counts; // before each axis, then behind each; some may be negative
    float value = 0;
};

/// Counts of some axes as those of all; nothing where they do not fit.
std::optional<Numbers> countsOfAll(const Numbers& counts, const Numbers& axes, std::int64_t rank)
{
    if (counts.size() != 2 * axes.size())
        return std::nullopt;
    Numbers all(static_cast<std::size_t>(2 * rank), 0);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t axis = axes[i] + (axes[i] < 0 ? rank : 0);
        if (axis < 0 || axis >= rank)
            return std::nullopt;
        all[static_cast<std::size_t>(axis)] = counts[i];
        all[static_cast<std::size_t>(axis + rank)] = counts[i + axes.size()];
    }
    return all;
}

/// Nothing where it puts no number, or it is not told.
std::optional<Border> borderOf(const Model& model, const KnownRanks& ranks, const Node& pad)
{
    const bool hasAxes = pad.inputs.size() > 3 && pad.inputs[3].valid();
    const bool hasValue = pad.inputs.size() > 2 && pad.inputs[2].valid();
    const Tensor* counts = fixedInput(model, pad, 1);
    if (counts == nullptr || modeOf(pad, "mode", "constant") != "constant")
        return std::nullopt;
    Border border{toInts(*counts)};
    if (hasAxes) {
        const Tensor* axes = fixedInput(model, pad, 3);
        const auto rank = ranks.of(pad.inputs[0]);
        auto all = axes != nullptr && rank ? countsOfAll(border.counts, toInts(*axes), *rank) : std::nullopt;
        if (!all)
            return std::nullopt;
        border.counts = *std::move(all);
    }
    if (hasValue) {
        const Tensor* value = fixedInput(model, pad, 2);
        const auto numbers = value != nullptr ? toFloats(*value) : std::vector<float>();
        if (numbers.size() != 1)
            return std::nullopt;
        border.value = numbers.front();
    }
    return border;
}

/// Whether nothing below zero comes out of the operator before.
bool givesNoNegatives(const Model& model, ValueId value)
{
    const NodeId producer = model.value(value).producer;
    if (!producer.valid())
        return false;
    const Node& node = model.node(producer);
    if (isAnyOf(node, {"Clip"})) {
        const Tensor* least = fixedInput(model, node, 1);
        const auto numbers = least != nullptr ? toFloats(*least) : std::vector<float>();
        return numbers.size() == 1 && numbers.front() >= 0;
    }
    return isAnyOf(node, {"Relu", "Sigmoid", "HardSigmoid", "Softmax"});
}

bool isLeftOutOrAll(const Node& node, const char* name, std::int64_t wanted)
{
    const Attribute* attribute = node.attribute(name);
    const auto* numbers = attribute != nullptr ? std::get_if<Numbers>(&attribute->value) : nullptr;
    return attribute == nullptr || (numbers != nullptr && std::ranges::all_of(*numbers, [wanted](std::int64_t number) {
        return number == wanted;
    }));
}

/// A border that a pool takes for its own: each window holds an element of the input as well.
bool fitsPool(const Model& model, const Node& pool, const Node& pad, const Border& border)
{
    if (pool.intAttribute("ceil_mode", 0) != 0 || pool.outputs.size() != 1)
        return false;
    const Attribute* attribute = pool.attribute("kernel_shape");
    const auto* window = attribute != nullptr ? std::get_if<Numbers>(&attribute->value) : nullptr;
    const std::size_t rank = border.counts.size() / 2;
    if (window == nullptr || window->size() + 2 != rank || !isLeftOutOrAll(pool, "dilations", 1))
        return false;
    if (isAnyOf(pool, {"AveragePool"})) {
        const bool countsBorder = pool.intAttribute("count_include_pad", 0) != 0 || isLeftOutOrAll(pool, "pads", 0);
        if (border.value != 0 || !countsBorder)
            return false;
    } else if (border.value != -std::numeric_limits<float>::infinity()
        && !(border.value == 0 && givesNoNegatives(model, pad.inputs[0]))) {
        return false;
    }
    return true;
}

/// A pool's pads are smaller than its window.
bool areInsideWindow(const Node& pool, const Numbers& pads)
{
    const Numbers& window = std::get<Numbers>(pool.attribute("kernel_shape")->value);
    for (std::size_t i = 0; i < pads.size(); ++i) {
        if (pads[i] >= window[i % window.size()])
            return false;
    }
    return true;
}

/// The pads of an operator with windows together with those around its input; nothing where they do not add up.
std::optional<Numbers> padsWith(const Node& conv, const Numbers& zeros)
{
    if (zeros.size() < 6 || zeros.size() % 2 != 0 || modeOf(conv, "auto_pad", "NOTSET") != "NOTSET"
        || std::ranges::any_of(zeros, [](std::int64_t count) { return count < 0 || count > (1 << 20); }))
        return std::nullopt;
    const std::size_t rank = zeros.size() / 2;
    const std::size_t window = rank - 2;
    if (zeros[0] != 0 || zeros[1] != 0 || zeros[rank] != 0 || zeros[rank + 1] != 0)
        return std::nullopt;
    Numbers pads(2 * window, 0);
    if (const Attribute* attribute = conv.attribute("pads")) {
        const auto* own = std::get_if<Numbers>(&attribute->value);
        if (own == nullptr || own->size() != pads.size())
            return std::nullopt;
        pads = *own;
    }
    for (std::size_t i = 0; i < window; ++i) {
        pads[i] += zeros[i + 2];
        pads[i + window] += zeros[rank + i + 2];
    }
    return pads;
}

/// The pads that a reader has with those of a Pad before it, or why it cannot have them.
std::variant<Numbers, const char*> joinedPads(
    const Model& model, const KnownRanks& ranks, const Node& pad, const Node& reader)
{
    const bool isPool = !isProduct(reader, Product::Convolution);
    const auto border = borderOf(model, ranks, pad);
    if (!border)
        return "it puts no constant number around, or how much is not told by constants";
    auto pads = padsWith(reader, border->counts);
    if (!pads)
        return "it cuts off, or reaches beyond the axes of the window behind it, or that has pads of its own kind";
    if (!isPool && border->value != 0)
        return "it puts another number than the zeros of a convolution around";
    if (isPool && !fitsPool(model, reader, pad, *border))
        return "the pool behind it counts its own border otherwise";
    if (isPool && !areInsideWindow(reader, *pads))
        return "it is as wide as the window behind it";
    return *std::move(pads);
}

} // namespace

PassResult joinPads(const PassScene& scene)
{
    const auto isPad = [](const Node& node) { return isAnyOf(node, {"Pad"}); };
    if (std::ranges::none_of(scene.model.nodes, isPad))
        return {};
    Elimination elimination(scene);
    const KnownRanks ranks(scene.model);
    std::vector<PassSkip> skipped;
    const std::vector<bool> isPinned = pinnedValues(scene.model);
    for (const NodeId id : scene.model.order) {
        const Node& pad = scene.model.node(id);
        if (!isAnyOf(pad, {"Pad"}) || !elimination.mayChange(id) || pad.outputs.empty() || pad.inputs.empty()
            || !pad.inputs[0].valid())
            continue;
        const auto use = onlyUse(scene.model, pad);
        if (!use || use->port != 0 || isPinned[pad.outputs[0].index] || !elimination.mayChange(use->node))
            continue;
        const Node& reader = scene.model.node(use->node);
        const bool isPool = isAnyOf(reader, {"AveragePool", "MaxPool"});
        if (!(isPool || isProduct(reader, Product::Convolution)) || reader.region != pad.region)
            continue;
        const auto pads = joinedPads(scene.model, ranks, pad, reader);
        if (const auto* why = std::get_if<const char*>(&pads))
            skipped.push_back({id, *why});
        if (!std::holds_alternative<Numbers>(pads) || !elimination.bypass(id, pad.inputs[0]))
            continue;
        elimination.set(use->node, {"pads", std::get<Numbers>(pads)});
        if (isAnyOf(reader, {"AveragePool"}))
            elimination.set(use->node, {"count_include_pad", std::int64_t{1}});
        elimination.fuse(use->node, id);
    }
    PassResult result = std::move(elimination).result();
    result.skipped.insert(result.skipped.end(), skipped.begin(), skipped.end());
    return result;
}

PassResult joinBiases(const PassScene& scene)
{
    const Model& model = scene.model;
    const KnownRanks ranks(model);
    const std::vector<bool> isPinned = pinnedValues(model);
    EditList edits;
    PassResult result;
    for (const NodeId id : model.order) {
        const Node& product = model.node(id);
        const auto added = addedBehind(model, id);
        if (!added || product.inputs.size() != 2 || product.outputs.size() != 1 || model.isInFunction(product)
            || !scene.mayChange(id) || ranks.of(product.inputs[0]) != 2 || ranks.of(product.inputs[1]) != 2
            || isPinned[product.outputs[0].index] || !scene.mayChange(added->add))
            continue;
        const Node& sum = model.node(added->add);
        if (sum.outputs.empty() || !sum.outputs[0].valid())
            continue;
        const ValueId value = sum.inputs[added->port];
        const Tensor* bias = fixedInput(model, sum, added->port);
        const Tensor* weight = fixedInput(model, product, 1);
        if (bias == nullptr || weight == nullptr || bias->dims.size() != 1 || bias->dims[0] != weight->dims[1]
            || bias->type != weight->type || bias->type != ElementType::Float32)
            continue;
        const bool isThere = model.value(value).region == RegionId(0) && model.value(value).initializer.valid();
        if (!isThere)
            continue; // a Constant node may stand behind the product
        edits.opTypes.emplace_back(id, biasedForm(product));
        edits.inputs.push_back({id, 2, model.value(value).name});
        edits.outputs.push_back({id, 0, model.value(sum.outputs[0]).name});
        result.fused.emplace_back(id, added->add);
        edits.removedNodes.push_back(added->add);
        result.applied.push_back(added->add);
    }
    if (!result.applied.empty())
        result.edits = std::move(edits);
    return result;
}

} // namespace duo
