// SPDX-License-Identifier: Apache-2.0
#include "core/transform/gemm_fusion.h"

#include "core/model/held_tensors.h"
#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/transform/known_ranks.h"

#include <algorithm>
#include <vector>

namespace duo {
namespace {

using Shape = std::vector<Dim>;

/// What quantizers quantize has the same shape.
ValueId behindQuantizers(const Model& model, ValueId value)
{
    while (value.valid() && model.value(value).producer.valid()) {
        const Node& producer = model.node(model.value(value).producer);
        if (!isQuantizer(producer) || producer.inputs.empty() || !producer.inputs[0].valid())
            break;
        value = producer.inputs[0];
    }
    return value;
}

/// Sizes that are not told are empty ones; nothing where not even their number is told.
std::optional<Shape> shapeOf(const Model& model, ValueId read, const KnownRanks* ranks)
{
    const ValueId value = behindQuantizers(model, read);
    if (const Tensor* constant = model.constant(behindIdentities(model, value))) {
        Shape shape;
        for (const std::int64_t size : constant->dims)
            shape.push_back({size, {}});
        return shape;
    }
    if (const auto& told = model.value(value).type.shape)
        return *told;
    const auto rank = ranks == nullptr ? std::nullopt : ranks->of(value);
    return rank ? std::optional(Shape(static_cast<std::size_t>(*rank))) : std::nullopt;
}

bool isKnown(const Dim& dim)
{
    return dim.size.has_value();
}

/// As ONNX Runtime compares them; what is not told is taken to fit.
bool areEqual(const Dim& a, const Dim& b)
{
    const bool isTold = (isKnown(a) || !a.symbol.empty()) && (isKnown(b) || !b.symbol.empty());
    return !isTold || a == b;
}

} // namespace

std::optional<AddedOperand> addedBehind(const Model& model, NodeId product)
{
    const Node& node = model.node(product);
    const auto use = isAnyOf(node, {"MatMul"}) ? onlyUse(model, node) : std::nullopt;
    if (!use)
        return std::nullopt;
    const Node& reader = model.node(use->node);
    if (!isAnyOf(reader, {"Add"}) || reader.region != node.region || reader.inputs.size() != 2)
        return std::nullopt;
    const AddedOperand added{use->node, 1 - use->port};
    return reader.inputs[added.port].valid() ? std::optional(added) : std::nullopt;
}

GemmFusion gemmFusion(const Model& model, NodeId product, const AddedOperand& added, const KnownRanks* ranks)
{
    const auto left = shapeOf(model, model.node(product).inputs[0], ranks);
    const auto right = shapeOf(model, model.node(product).inputs[1], ranks);
    const auto sum = shapeOf(model, model.node(added.add).inputs[added.port], ranks);
    const std::size_t terms = sum ? sum->size() : 1;
    if ((right && right->size() != 2) || terms == 0 || terms > 2)
        return GemmFusion::No;
    const Dim columns = right ? right->back() : Dim();
    const bool addsVector = terms == 1 && (!sum || areEqual(sum->front(), columns));
    if (!left)
        return addsVector || terms == 2 ? GemmFusion::NotTold : GemmFusion::No;
    if (left->size() != 2)
        return addsVector && !left->empty() && std::ranges::all_of(*left, isKnown) ? GemmFusion::Yes : GemmFusion::No;
    const bool addsRow = terms == 2 && sum->front().size == 1 && areEqual(sum->back(), columns);
    const bool addsRows = terms == 2 && areEqual(sum->front(), left->front())
        && (sum->back().size == 1 || areEqual(sum->back(), columns));
    return addsVector || addsRow || addsRows ? GemmFusion::Yes : GemmFusion::No;
}

} // namespace duo
