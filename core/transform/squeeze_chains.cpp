// SPDX-License-Identifier: Apache-2.0
// Squeeze and Unsqueeze behind each other become one, or none, whatever the other sizes are.
#include "core/model/constant_conditions.h"
#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/transform/common_passes.h"
#include "core/transform/edit_names.h"
#include "core/transform/elimination.h"
#include "core/transform/known_ranks.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace duo {
namespace {

using Ints = std::vector<std::int64_t>; // of axes: sorted

bool isSqueeze(const Node& node)
{
    return isAnyOf(node, {"Squeeze"});
}

bool changesAxes(const Node& node)
{
    return isAnyOf(node, {"Squeeze", "Unsqueeze"}) && !node.inputs.empty() && node.inputs[0].valid()
        && !node.outputs.empty() && node.outputs[0].valid();
}

/// Where axes come to stand when others are put between them.
Ints spreadAround(const Ints& axes, const Ints& others)
{
    Ints spread;
    for (std::int64_t axis : axes) {
        for (const std::int64_t other : others)
            axis += other <= axis ? 1 : 0;
        spread.push_back(axis);
    }
    return spread;
}

Ints joined(Ints axes, const Ints& more)
{
    axes.insert(axes.end(), more.begin(), more.end());
    std::ranges::sort(axes);
    return axes;
}

/// The axes that two of one operator change, or those of an Unsqueeze that a Squeeze behind it leaves.
std::optional<Ints> axesOfBoth(const Node& first, const Ints& axes, const Node& second, const Ints& more)
{
    if (isSqueeze(first))
        return isSqueeze(second) ? std::optional(joined(axes, spreadAround(more, axes))) : std::nullopt;
    if (!isSqueeze(second))
        return joined(more, spreadAround(axes, more));
    if (!std::ranges::includes(axes, more))
        return std::nullopt;
    Ints left;
    for (const std::int64_t axis : axes) {
        const auto place = std::ranges::lower_bound(more, axis);
        if (place == more.end() || *place != axis)
            left.push_back(axis - (place - more.begin()));
    }
    return left;
}

class SqueezeJoining
{
public:
    explicit SqueezeJoining(const PassScene& scene)
        : m_model(scene.model)
        , m_elimination(scene)
        , m_ranks(scene.model)
        , m_names(scene.model)
        , m_isDone(scene.model.nodes.size())
    {
    }

    PassResult run()
    {
        for (const NodeId id : m_model.order) {
            if (changesAxes(m_model.node(id)) && m_elimination.mayChange(id))
                visit(id);
        }
        PassResult result = std::move(m_elimination).result();
        if (result.edits)
            addInPlace(*result.edits, std::move(m_edits));
        return result;
    }

private:
    void visit(NodeId id)
    {
        const Node& node = m_model.node(id);
        const NodeId before = m_model.value(m_elimination.now(node.inputs[0])).producer;
        if (!before.valid() || m_isDone[before.index] || !changesAxes(m_model.node(before))
            || !m_elimination.mayChange(before) || m_model.node(before).region != node.region)
            return;
        const Node& first = m_model.node(before);
        const auto axes = axesOf(first);
        const auto more = axesOf(node);
        if (!axes || !more)
            return;
        if (isSqueeze(first) != isSqueeze(node) && axes == more) // a Squeeze says that they have one element each
            m_isDone[id.index] = m_elimination.bypass(id, first.inputs[0]);
        else if (const auto both = axesOfBoth(first, *axes, node, *more); both && isReadBy(first, id))
            join(before, id, *both);
    }

    /// Alone, and as it stands in the file.
    [[nodiscard]] bool isReadBy(const Node& first, NodeId id) const
    {
        const auto use = onlyUse(m_model, first);
        return use && use->node == id && use->port == 0;
    }

    void join(NodeId before, NodeId id, const Ints& axes)
    {
        const Node& first = m_model.node(before);
        const Node& node = m_model.node(id);
        const bool isInput = node.attribute("axes") == nullptr;
        if ((isInput && m_model.irVersion < kInitializersNeedNoInput) || !m_elimination.bypass(before, first.inputs[0]))
            return;
        m_isDone[id.index] = true;
        m_elimination.fuse(id, before);
        if (isSqueeze(node) && !isSqueeze(first))
            m_edits.opTypes.emplace_back(id, first.opType);
        if (!isInput) {
            m_elimination.set(id, {"axes", axes});
            return;
        }
        NewTensor tensor{m_names.value(m_model.value(node.outputs[0]).name + "_axes"), ElementType::Int64,
            {static_cast<std::int64_t>(axes.size())}, std::vector<std::byte>(axes.size() * sizeof(std::int64_t))};
        std::memcpy(tensor.bytes.data(), axes.data(), tensor.bytes.size());
        m_edits.inputs.push_back({id, 1, tensor.name});
        m_edits.newTensors.push_back(std::move(tensor));
    }

    /// Counted from the first one; nothing where they are not told.
    [[nodiscard]] std::optional<Ints> axesOf(const Node& node) const
    {
        Ints axes;
        if (const Attribute* attribute = node.attribute("axes")) {
            const auto* given = std::get_if<Ints>(&attribute->value);
            axes = given != nullptr ? *given : Ints();
        } else if (const Tensor* given = fixedInput(m_model, node, 1)) {
            axes = toInts(*given);
        }
        const bool areFromEnd = std::ranges::any_of(axes, [](std::int64_t axis) { return axis < 0; });
        const auto rank = m_ranks.of(isSqueeze(node) ? node.inputs[0] : node.outputs[0]); // the larger one
        if (axes.empty() || (areFromEnd && !rank))
            return std::nullopt;
        for (std::int64_t& axis : axes)
            axis += axis < 0 ? *rank : 0;
        std::ranges::sort(axes);
        return axes;
    }

    const Model& m_model;
    Elimination m_elimination;
    KnownRanks m_ranks;
    EditNames m_names;
    std::vector<bool> m_isDone; // [nodes] looked at again in the next run
    EditList m_edits;
};

} // namespace

PassResult joinSqueezes(const PassScene& scene)
{
    const auto isOne = [](const Node& node) { return isSqueeze(node); };
    const auto isOther = [](const Node& node) { return isAnyOf(node, {"Unsqueeze"}); };
    const auto& nodes = scene.model.nodes;
    const bool mayBe = std::ranges::count_if(nodes, isOne) + std::ranges::count_if(nodes, isOther) > 1;
    return mayBe ? SqueezeJoining(scene).run() : PassResult{};
}

} // namespace duo
