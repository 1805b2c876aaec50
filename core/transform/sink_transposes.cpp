// SPDX-License-Identifier: Apache-2.0
// Transposes around operators that work element by element, as exporters leave them where two layouts meet: what all
// transposes around such an area turn one way and back is computed in the layout that there was.
#include "core/model/constant_conditions.h"
#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/transform/axis_order.h"
#include "core/transform/common_passes.h"
#include "core/transform/edit_names.h"
#include "core/transform/elimination.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace duo {
namespace {

constexpr std::int64_t kLargestConstant = std::int64_t{1} << 20; // bytes

/// Each element of the result comes from the elements at its place in what is read.
bool isElementwise(const Node& node)
{
    return isAnyOf(node,
        {"Abs", "Add", "And", "Cast", "Ceil", "Clip", "Cos", "Div", "Elu", "Equal", "Erf", "Exp", "Floor", "Gelu",
            "Greater", "GreaterOrEqual", "HardSigmoid", "HardSwish", "LeakyRelu", "Less", "LessOrEqual", "Log", "Max",
            "Min", "Mish", "Mul", "Neg", "Not", "Or", "PRelu", "Pow", "Reciprocal", "Relu", "Round", "Selu", "Sigmoid",
            "Sign", "Sin", "Softplus", "Softsign", "Sqrt", "Sub", "Sum", "Tanh", "ThresholdedRelu", "Where", "Xor"});
}

bool isJoin(const Node& node)
{
    return isAnyOf(node, {"Concat"});
}

/// A constant that stands beside turned values, with its sizes in the layout before.
struct TurnedConstant {
    Use use;
    std::vector<std::int64_t> dims;
};

/// What lies between transposes: nodes that compute alike in both layouts, and the transposes around them.
struct Area {
    AxisOrder order; // of the transposes before it
    RegionId region;
    std::vector<NodeId> nodes;
    std::vector<NodeId> sources; // transposes before it
    std::vector<NodeId> sinks; // behind it
    std::vector<TurnedConstant> constants;
};

class TransposeSinking
{
public:
    explicit TransposeSinking(const PassScene& scene)
        : m_model(scene.model)
        , m_elimination(scene)
        , m_names(scene.model)
        , m_isPinned(pinnedValues(scene.model))
        , m_isSeen(scene.model.nodes.size())
        , m_isTaken(scene.model.nodes.size())
        , m_isInside(scene.model.values.size())
    {
    }

    PassResult run()
    {
        for (const NodeId id : m_model.order) {
            const auto order = isTransposeHere(id) ? axisOrderOf(m_model.node(id)) : std::nullopt;
            if (!order || m_isSeen[id.index] || m_isTaken[id.index])
                continue;
            Area area{*order, m_model.node(id).region, {}, {}, {}, {}};
            const bool isWhole = grow(area, id) && !area.nodes.empty() && canTurn(area);
            for (const ValueId value : m_inside)
                m_isInside[value.index] = false;
            m_inside.clear();
            if (isWhole)
                turn(area);
        }
        PassResult result = std::move(m_elimination).result();
        if (!result.edits)
            return result;
        addConstantsInPlace(*result.edits);
        result.edits->resized = std::move(m_turned);
        return result;
    }

private:
    [[nodiscard]] bool isTransposeHere(NodeId id) const
    {
        const Node& node = m_model.node(id);
        return isAnyOf(node, {"Transpose"}) && m_elimination.mayChange(id) && !node.inputs.empty()
            && node.inputs[0].valid() && !node.outputs.empty() && node.outputs[0].valid();
    }

    /// Everything that has to turn with the first transpose. @return false where something cannot; each node is looked
    /// at once in a run, for what stopped one area stops all that it would be a part of.
    bool grow(Area& area, NodeId first)
    {
        if (!addSource(area, first))
            return false;
        std::size_t value = 0;
        for (std::size_t node = 0; value < m_inside.size() || node < area.nodes.size();) {
            const bool isGood
                = value < m_inside.size() ? addReaders(area, m_inside[value++]) : addInputs(area, area.nodes[node++]);
            if (!isGood)
                return false;
        }
        return true;
    }

    bool addReaders(Area& area, ValueId value)
    {
        return std::ranges::all_of(m_model.value(value).uses, [&](const Use& use) { return addReader(area, use); });
    }

    bool addInputs(Area& area, NodeId id)
    {
        const Node& node = m_model.node(id);
        const std::size_t turned = isAnyOf(node, {"Clip"}) ? 1 : node.inputs.size(); // limits have no axes
        for (std::size_t port = 0; port < turned; ++port) {
            if (!addInput(area, {id, static_cast<std::uint32_t>(port)}))
                return false;
        }
        return true;
    }

    bool addValue(ValueId value)
    {
        if (m_isInside[value.index])
            return true;
        if (m_isPinned[value.index] || m_model.value(value).isOutput)
            return false;
        m_isInside[value.index] = true;
        m_inside.push_back(value);
        return true;
    }

    bool addSource(Area& area, NodeId id)
    {
        const Node& node = m_model.node(id);
        if (node.region != area.region || m_isTaken[id.index] || axisOrderOf(node) != area.order)
            return false;
        m_isSeen[id.index] = true;
        area.sources.push_back(id);
        return addValue(node.outputs[0]);
    }

    bool addReader(Area& area, const Use& use)
    {
        const Node& node = m_model.node(use.node);
        if (node.region != area.region)
            return false;
        if (isTransposeHere(use.node)) {
            const auto order = axisOrderOf(node);
            if (!order || order->size() != area.order.size() || m_isTaken[use.node.index])
                return false;
            area.sinks.push_back(use.node);
            return true;
        }
        return addNode(area, use.node);
    }

    bool addNode(Area& area, NodeId id)
    {
        const Node& node = m_model.node(id);
        const bool isInside = !node.outputs.empty() && node.outputs[0].valid() && m_isInside[node.outputs[0].index];
        if (isInside)
            return true;
        if (m_isSeen[id.index] || node.region != area.region || node.outputs.size() != 1 || !node.outputs[0].valid()
            || !m_elimination.mayChange(id) || !(isElementwise(node) || (isJoin(node) && joinAxis(node, area))))
            return false;
        m_isSeen[id.index] = true;
        area.nodes.push_back(id);
        return addValue(node.outputs[0]);
    }

    bool addInput(Area& area, const Use& use)
    {
        const Node& node = m_model.node(use.node);
        const ValueId value = node.inputs[use.port];
        if (!value.valid())
            return false;
        if (m_isInside[value.index])
            return true;
        if (const Tensor* constant = fixedInput(m_model, node, use.port))
            return addConstant(area, use, *constant);
        const NodeId producer = m_model.value(value).producer;
        if (!producer.valid())
            return false;
        return isTransposeHere(producer) ? addSource(area, producer) : addNode(area, producer);
    }

    /// Its elements have to stay in their order.
    bool addConstant(Area& area, const Use& use, const Tensor& constant) const
    {
        const std::size_t rank = area.order.size();
        if (constant.dims.size() > rank || isJoin(m_model.node(use.node)))
            return false;
        if (constant.elements() == 1)
            return true;
        const ValueId value = m_model.node(use.node).inputs[use.port];
        if (static_cast<std::int64_t>(constant.bytes().size()) > kLargestConstant || constant.bytes().empty()
            || m_model.value(value).region != RegionId(0) || !m_model.value(value).initializer.valid()
            || m_model.irVersion < kInitializersNeedNoInput)
            return false;
        std::vector<std::int64_t> dims(rank, 1);
        std::int64_t last = -1;
        for (std::size_t i = 0; i < constant.dims.size(); ++i) {
            const std::int64_t axis = area.order[rank - constant.dims.size() + i];
            dims[static_cast<std::size_t>(axis)] = constant.dims[i];
            if (constant.dims[i] == 1)
                continue;
            if (axis < last)
                return false;
            last = axis;
        }
        area.constants.push_back({use, std::move(dims)});
        return true;
    }

    /// Where a join joins in the layout before; nothing where that is not known.
    static std::optional<std::int64_t> joinAxis(const Node& node, const Area& area)
    {
        const auto rank = static_cast<std::int64_t>(area.order.size());
        std::int64_t axis = node.intAttribute("axis", rank);
        axis += axis < 0 ? rank : 0;
        return axis >= 0 && axis < rank ? std::optional(area.order[static_cast<std::size_t>(axis)]) : std::nullopt;
    }

    /// Whether all transposes around it can be done without.
    [[nodiscard]] bool canTurn(const Area& area) const
    {
        std::unordered_map<std::uint32_t, int> outputs; // of the graph, per value that would take their name
        for (const NodeId id : area.sinks) {
            const Node& node = m_model.node(id);
            const bool goes = isInOrder(joinedOrder(area.order, *axisOrderOf(node)));
            const bool isBetween = m_isInside[node.outputs[0].index]; // before the area as well
            if (isBetween || (goes && !m_elimination.canBypass(id, node.inputs[0])))
                return false;
            if (!goes || !m_model.value(node.outputs[0]).isOutput)
                continue;
            const bool hasGiver = !isTransposeHere(m_model.value(node.inputs[0]).producer); // else that goes, too
            if (!hasGiver || ++outputs[node.inputs[0].index] > 1)
                return false;
        }
        return std::ranges::all_of(
            area.sources, [&](NodeId id) { return m_elimination.canBypass(id, m_model.node(id).inputs[0]); });
    }

    void turn(const Area& area)
    {
        for (const NodeId id : area.sinks) {
            const Node& node = m_model.node(id);
            AxisOrder joined = joinedOrder(area.order, *axisOrderOf(node));
            if (isInOrder(joined)) {
                m_elimination.bypass(id, node.inputs[0]);
            } else {
                m_elimination.set(id, {"perm", std::move(joined)});
                m_elimination.note(id);
            }
            m_isTaken[id.index] = true;
        }
        for (const NodeId id : area.sources) {
            m_elimination.bypass(id, m_model.node(id).inputs[0]);
            m_isTaken[id.index] = true;
        }
        for (const NodeId id : area.nodes) {
            if (isJoin(m_model.node(id)))
                m_elimination.set(id, {"axis", *joinAxis(m_model.node(id), area)});
            m_turned.push_back(m_model.node(id).outputs[0]);
        }
        m_constants.insert(m_constants.end(), area.constants.begin(), area.constants.end());
    }

    /// Under the name it has where no other node reads it.
    void addConstantsInPlace(EditList& edits)
    {
        for (const TurnedConstant& turned : m_constants) {
            const ValueId value = m_model.node(turned.use.node).inputs[turned.use.port];
            const Tensor& constant = *m_model.constant(value);
            const std::string& name = m_model.value(value).name;
            NewTensor tensor{
                name, constant.type, turned.dims, {constant.bytes().begin(), constant.bytes().end()}, RegionId(0)};
            if (onlyUse(m_model, value) && !m_isPinned[value.index]) {
                edits.removedTensors.push_back(name);
            } else {
                tensor.name = m_names.value(name + "_turned");
                edits.inputs.push_back({turned.use.node, turned.use.port, tensor.name});
            }
            edits.newTensors.push_back(std::move(tensor));
        }
    }

    const Model& m_model;
    Elimination m_elimination;
    EditNames m_names;
    std::vector<bool> m_isPinned; // [values]
    std::vector<bool> m_isSeen; // [nodes] part of an area, or of what could not be one
    std::vector<bool> m_isTaken; // [nodes] transposes that are changed: what else they stand at is for the next run
    std::vector<bool> m_isInside; // [values] of the area that grows
    std::vector<ValueId> m_inside; // the same, in the order they were found
    std::vector<TurnedConstant> m_constants;
    std::vector<ValueId> m_turned;
};

} // namespace

PassResult sinkTransposes(const PassScene& scene)
{
    return TransposeSinking(scene).run();
}

} // namespace duo
