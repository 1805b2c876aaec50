// SPDX-License-Identifier: Apache-2.0
// Transposes and reshapes that stand behind each other.
#include "core/model/constant_conditions.h"
#include "core/model/op_facts.h"
#include "core/support/bytes_of.h"
#include "core/transform/axis_order.h"
#include "core/transform/common_passes.h"
#include "core/transform/edit_names.h"
#include "core/transform/elimination.h"
#include "core/transform/known_shapes.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace duo {
namespace {

bool isTranspose(const Node& node)
{
    return isAnyOf(node, {"Transpose"});
}

/// Changes the shape; of a Transpose, axes of one element change places at most.
bool isShaper(const Node& node)
{
    return has(node, mark::kReshapes) || isTranspose(node);
}

/// The node that gives an input, if it is one of these and may be looked through.
const Node* producerOf(
    const PassScene& scene, const Elimination& elimination, ValueId value, bool (*isWanted)(const Node&))
{
    const NodeId id = value.valid() ? scene.model.value(value).producer : NodeId{};
    if (!id.valid() || !elimination.mayChange(id))
        return nullptr;
    const Node& node = scene.model.node(id);
    return isWanted(node) && !node.inputs.empty() && node.inputs[0].valid() ? &node : nullptr;
}

/// Its sizes are all its own: it takes none of its input's.
bool saysItsSizes(const Model& model, const Node& reshape)
{
    if (reshape.inputs.size() < 2 || !reshape.inputs[1].valid() || isOverridable(model, model.value(reshape.inputs[1])))
        return false;
    const Tensor* target = model.constant(reshape.inputs[1]);
    if (target == nullptr)
        return false;
    const auto sizes = toInts(*target);
    return std::ranges::find(sizes, 0) == sizes.end();
}

/// All elements stay in their order: of the axes that move all but one have size 1, as far as sizes are known.
bool keepsElementOrder(const Node& transpose, const Extents* shape)
{
    const auto order = axisOrderOf(transpose);
    if (!order || shape == nullptr || shape->size() != order->size())
        return false;
    std::int64_t last = -1;
    for (const std::int64_t axis : *order) {
        if ((*shape)[static_cast<std::size_t>(axis)] == Extent{Extent::Kind::Number, 1})
            continue;
        if (axis < last)
            return false;
        last = axis;
    }
    return true;
}

/// Sizes for a Reshape that takes some of its input's, which say the same and take none; nothing where more than one is
/// not known, or one is 0.
std::optional<std::vector<std::int64_t>> ownSizes(const Node& reshape, const Extents* shape)
{
    if (shape == nullptr || reshape.inputs.size() != 2 || reshape.intAttribute("allowzero", 0) != 0)
        return std::nullopt;
    std::vector<std::int64_t> sizes;
    for (const Extent& extent : *shape)
        sizes.push_back(extent.isKnown() ? extent.number : -1);
    const bool isSaid = std::ranges::count(sizes, -1) <= 1 && std::ranges::count(sizes, 0) == 0 && !sizes.empty();
    return isSaid ? std::optional(std::move(sizes)) : std::nullopt;
}

} // namespace

PassResult joinTransposes(const PassScene& scene)
{
    Elimination elimination(scene);
    std::vector<std::optional<AxisOrder>> orders(scene.model.nodes.size()); // of transposes, from what they read by now
    std::vector<ValueId> sources(scene.model.nodes.size());
    for (const NodeId id : scene.model.order) {
        const Node& node = scene.model.node(id);
        if (!isTranspose(node) || node.inputs.empty() || node.outputs.empty() || !elimination.mayChange(id))
            continue;
        auto order = axisOrderOf(node);
        sources[id.index] = node.inputs[0];
        orders[id.index] = order;
        const Node* first = producerOf(scene, elimination, node.inputs[0], isTranspose);
        if (first == nullptr || !order)
            continue;
        const NodeId firstId = scene.model.value(node.inputs[0]).producer;
        const auto& before = orders[firstId.index];
        if (!before || before->size() != order->size())
            continue;
        AxisOrder joined = joinedOrder(*before, *order);
        const ValueId source = elimination.now(sources[firstId.index]);
        if (isInOrder(joined) && elimination.bypass(id, source))
            continue;
        if (scene.model.value(source).region != node.region)
            continue; // a body would read another value from outside
        elimination.rewire(id, 0, source);
        elimination.set(id, {"perm", joined});
        elimination.note(id);
        sources[id.index] = source;
        orders[id.index] = std::move(joined);
    }
    return std::move(elimination).result();
}

PassResult joinReshapes(const PassScene& scene)
{
    Elimination elimination(scene);
    std::optional<KnownShapes> shapes; // found when they are asked for first
    const auto shapeOf = [&](ValueId value) {
        if (!shapes)
            shapes.emplace(scene.model, scene.sizes);
        return shapes->of(value);
    };
    std::vector<std::pair<NodeId, std::vector<std::int64_t>>> anew; // sizes of reshapes
    std::vector<ValueId> sources(scene.model.nodes.size()); // of these operators, through all before them
    for (const NodeId id : scene.model.order) {
        const Node& node = scene.model.node(id);
        if (!isShaper(node) || node.inputs.empty() || !node.inputs[0].valid() || !elimination.mayChange(id)
            || (isTranspose(node) && !keepsElementOrder(node, shapeOf(node.inputs[0]))))
            continue;
        sources[id.index] = node.inputs[0];
        if (producerOf(scene, elimination, node.inputs[0], isShaper) == nullptr)
            continue;
        const ValueId source = sources[scene.model.value(node.inputs[0]).producer.index];
        if (!source.valid() || scene.model.value(source).region != node.region)
            continue;
        sources[id.index] = source;
        if (node.opType != "Reshape" || node.outputs.empty())
            continue;
        if (!saysItsSizes(scene.model, node)) {
            auto sizes = ownSizes(node, shapeOf(node.outputs[0]));
            if (!sizes || scene.model.irVersion < kInitializersNeedNoInput)
                continue;
            anew.emplace_back(id, *std::move(sizes));
        }
        elimination.rewire(id, 0, source);
        elimination.note(id);
    }
    PassResult result = std::move(elimination).result();
    EditNames names(scene.model);
    for (const auto& [id, sizes] : anew) {
        const std::string name = names.value(scene.model.value(scene.model.node(id).outputs[0]).name + "_shape");
        result.edits->newTensors.push_back(
            {name, ElementType::Int64, {static_cast<std::int64_t>(sizes.size())}, bytesOf(sizes)});
        result.edits->inputs.push_back({id, 1, name});
    }
    return result;
}

} // namespace duo
