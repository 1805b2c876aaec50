// SPDX-License-Identifier: Apache-2.0
// What computes shapes, where they are known: as a constant, or as sizes that a Reshape copies.
#include "core/model/held_tensors.h"
#include "core/support/bytes_of.h"
#include "core/transform/common_passes.h"
#include "core/transform/edit_names.h"
#include "core/transform/elimination.h"
#include "core/transform/known_shapes.h"

#include <algorithm>
#include <optional>

namespace duo {
namespace {

using Numbers = std::vector<std::int64_t>;

std::vector<std::byte> bytesAs(ElementType type, const Numbers& numbers)
{
    if (type == ElementType::Int64)
        return bytesOf(numbers);
    if (type == ElementType::Int32)
        return bytesOf(std::vector<std::int32_t>(numbers.begin(), numbers.end()));
    return bytesOf(std::vector<std::uint8_t>(numbers.begin(), numbers.end()));
}

/// A shape for this Reshape that says the same with 0 where it copies a size and -1 where one is left; nothing where
/// that cannot be said, or not for empty tensors.
std::optional<Numbers> saidBy(const Extents& wanted, const Extents* shape)
{
    Numbers said;
    std::size_t open = 0;
    bool areNumbers = true; // all but the open one, none of them 0
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const Extent& entry = wanted[i];
        const bool isCopy = !entry.isKnown() && shape != nullptr && i < shape->size() && (*shape)[i] == entry;
        said.push_back(entry.isKnown() ? entry.number : isCopy ? 0 : -1);
        open += said.back() == -1 ? 1 : 0;
        areNumbers = areNumbers && said.back() != 0;
    }
    const bool wasOpen = std::ranges::any_of(wanted, [](const Extent& entry) { return entry == Extent{{}, -1}; });
    return open == 0 || (open == 1 && (wasOpen || areNumbers)) ? std::optional(said) : std::nullopt;
}

class ShapeSimplification
{
public:
    explicit ShapeSimplification(const PassScene& scene)
        : m_scene(scene)
        , m_model(scene.model)
        , m_shapes(scene.model, scene.sizes)
        , m_names(scene.model)
        , m_goes(scene.model.nodes.size())
        , m_stays(pinnedValues(scene.model))
    {
        for (const Region& region : m_model.regions) { // what a graph gives, a node gives
            for (const ValueId output : region.outputs) {
                if (output.valid())
                    m_stays[output.index] = true;
            }
        }
    }

    PassResult run()
    {
        for (const NodeId id : m_model.order)
            m_goes[id.index] = isKnown(id);
        for (const NodeId id : m_model.order) {
            if (m_goes[id.index])
                replace(id);
            else
                sayIn(id);
        }
        if (!m_result.applied.empty())
            m_result.edits = std::move(m_edits);
        return std::move(m_result);
    }

private:
    /// What it gives is known and small, and no Constant. In a body that runs several times it is known of all runs.
    [[nodiscard]] bool isKnown(NodeId id) const
    {
        const Node& node = m_model.node(id);
        if (node.isCall || !node.domain.empty() || isConstantNode(node) || node.outputs.size() != 1
            || !node.outputs[0].valid() || !m_scene.mayChange(id) || m_model.isInFunction(node))
            return false;
        const ValueId output = node.outputs[0];
        const Extents* content = m_shapes.content(output);
        const ElementType type = m_model.value(output).type.element;
        const bool isWhole = type == ElementType::Int64 || type == ElementType::Int32 || type == ElementType::Bool;
        return content != nullptr && isWhole && !m_stays[output.index] && numbersOf(*content).has_value();
    }

    void replace(NodeId id)
    {
        const ValueId output = m_model.node(id).outputs[0];
        const Value& value = m_model.value(output);
        m_edits.removedNodes.push_back(id);
        m_result.applied.push_back(id);
        const bool isRead = std::ranges::any_of(value.uses, [&](const Use& use) { return !m_goes[use.node.index]; });
        if (!isRead)
            return;
        const auto dims = numbersOf(*m_shapes.of(output)).value_or(Numbers());
        const auto numbers = numbersOf(*m_shapes.content(output)).value_or(Numbers());
        m_edits.newTensors.push_back(
            {value.name, value.type.element, dims, bytesAs(value.type.element, numbers), value.region});
    }

    /// Gives a Reshape a constant shape, where the one it reads is made of sizes.
    void sayIn(NodeId id)
    {
        const Node& node = m_model.node(id);
        if (node.opType != "Reshape" || !node.domain.empty() || node.inputs.size() != 2 || !node.inputs[1].valid()
            || node.outputs.empty() || !node.outputs[0].valid() || m_model.isInFunction(node) || !m_scene.mayChange(id)
            || node.intAttribute("allowzero", 0) != 0)
            return;
        const Extents* wanted = m_shapes.content(node.inputs[1]);
        if (wanted == nullptr || wanted->empty() || numbersOf(*wanted))
            return;
        const auto said = saidBy(*wanted, m_shapes.of(node.inputs[0]));
        if (!said) {
            m_result.skipped.push_back({id, "a shape that is a constant could not say all of its sizes"});
            return;
        }
        const std::string name = m_names.value(m_model.value(node.outputs[0]).name + "_shape");
        m_edits.newTensors.push_back(
            {name, ElementType::Int64, {static_cast<std::int64_t>(said->size())}, bytesOf(*said)});
        m_edits.inputs.push_back({id, 1, name});
        m_result.applied.push_back(id);
    }

    const PassScene& m_scene;
    const Model& m_model;
    KnownShapes m_shapes;
    EditNames m_names;
    std::vector<bool> m_goes; // [nodes]
    std::vector<bool> m_stays; // [values]
    EditList m_edits;
    PassResult m_result;
};

} // namespace

PassResult simplifyShapes(const PassScene& scene)
{
    return scene.model.irVersion < kInitializersNeedNoInput ? PassResult{} : ShapeSimplification(scene).run();
}

} // namespace duo
