// SPDX-License-Identifier: Apache-2.0
// The branch that an If always takes stands in its place; of a Loop that never runs what it starts with.
#include "core/model/constant_conditions.h"
#include "core/model/held_tensors.h"
#include "core/model/op_facts.h"
#include "core/model/topological_order.h"
#include "core/transform/common_passes.h"
#include "core/transform/edit_names.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

namespace duo {
namespace {

constexpr std::size_t kFirstCarried = 2; // input of a Loop, behind the number of trips and the condition
constexpr std::int64_t kLargestConstant = std::int64_t{1} << 20; // bytes

class BranchTaking
{
public:
    explicit BranchTaking(const PassScene& scene)
        : m_scene(scene)
        , m_model(scene.model)
        , m_names(scene.model)
        , m_never(bodiesNeverRun(scene.model))
        , m_initializers(scene.model.regions.size())
        , m_isTaken(scene.model.nodes.size())
    {
        for (std::size_t v = 0; v < m_model.values.size(); ++v) {
            const Value& value = m_model.values[v];
            ++m_counts[value.name];
            if (value.initializer.valid())
                m_initializers[value.region.index].emplace_back(v);
        }
        for (std::size_t r = 1; r < m_model.regions.size(); ++r) {
            if (m_model.regions[r].owner.valid())
                m_bodies[m_model.regions[r].owner.index].emplace_back(static_cast<std::uint32_t>(r));
        }
    }

    PassResult run()
    {
        std::vector<NodeId> owners;
        std::ranges::copy_if(m_model.order, std::back_inserter(owners), [&](NodeId id) {
            const Node& node = m_model.node(id);
            return isAnyOf(node, {"If", "Loop"}) && m_scene.mayChange(id) && !m_model.isInFunction(node);
        });
        owners = inStableOrder(m_model, std::move(owners));
        std::ranges::stable_sort(owners, {}, [this](NodeId id) { return nestingOf(id); });
        for (const NodeId id : owners) {
            if (isInTaken(id))
                continue; // it moves, or goes; in the next run it can be looked at
            const Node& node = m_model.node(id);
            if (isAnyOf(node, {"Loop"})) {
                visitLoop(id);
                continue;
            }
            const RegionId taken = branchOf(id);
            if (!taken.valid())
                continue;
            if (const char* why = whyNot(node, taken))
                m_result.skipped.push_back({id, why});
            else
                take(id, taken);
        }
        if (!m_result.applied.empty())
            m_result.edits = std::move(m_edits);
        return std::move(m_result);
    }

private:
    [[nodiscard]] bool isInTaken(NodeId id) const
    {
        for (NodeId at = ownerOf(id); at.valid(); at = ownerOf(at)) {
            if (m_isTaken[at.index])
                return true;
        }
        return false;
    }

    [[nodiscard]] int nestingOf(NodeId id) const
    {
        int nesting = 0;
        for (NodeId at = ownerOf(id); at.valid(); at = ownerOf(at))
            ++nesting;
        return nesting;
    }

    [[nodiscard]] NodeId ownerOf(NodeId id) const { return m_model.region(m_model.node(id).region).owner; }

    void visitLoop(NodeId id)
    {
        const Node& loop = m_model.node(id);
        const auto bodies = m_bodies.find(id.index);
        const bool neverRuns = bodies != m_bodies.end() && bodies->second.size() == 1
            && m_never[bodies->second[0].index] && !m_never[loop.region.index];
        if (!neverRuns)
            return;
        if (const char* why = whyNotSkipped(loop, bodies->second[0])) {
            m_result.skipped.push_back({id, why});
            return;
        }
        for (std::size_t port = 0; port < loop.outputs.size(); ++port) {
            if (loop.outputs[port].valid())
                addOutput(id, port, m_model.value(loop.inputs[port + kFirstCarried]).name);
        }
        m_edits.removedNodes.push_back(id);
        m_result.applied.push_back(id);
        m_isTaken[id.index] = true;
    }

    [[nodiscard]] const char* whyNotSkipped(const Node& loop, RegionId body) const
    {
        for (std::size_t port = 0; port < loop.outputs.size(); ++port) {
            const std::size_t start = port + kFirstCarried;
            if (loop.outputs[port].valid() && (start >= loop.inputs.size() || !loop.inputs[start].valid()))
                return "it gives what its trips gave, of which the size is not known";
        }
        return areFree(body) ? nullptr : "a node in its body is to stay as it is";
    }

    /// What an output of a node with bodies is from now on. Of the first one under the node's name.
    void addOutput(NodeId id, std::size_t port, std::string from)
    {
        const Node& owner = m_model.node(id);
        const std::string name
            = port == 0 ? owner.localName : m_names.node(owner.localName + "_" + std::to_string(port));
        m_edits.newNodes.push_back({name, "Identity", {}, {std::move(from)}, {m_model.value(owner.outputs[port]).name},
            {}, owner.metadata, id, false, owner.region});
    }

    /// Invalid where the condition is not constant.
    [[nodiscard]] RegionId branchOf(NodeId id) const
    {
        const auto bodies = m_bodies.find(id.index);
        if (bodies == m_bodies.end() || bodies->second.size() != 2)
            return {};
        const auto& [first, second] = std::pair(bodies->second[0], bodies->second[1]);
        if (m_never[first.index] == m_never[second.index])
            return {};
        return m_never[first.index] ? second : first;
    }

    [[nodiscard]] const char* whyNot(const Node& node, RegionId taken) const
    {
        const Region& region = m_model.region(taken);
        if (region.outputs.size() < node.outputs.size())
            return "its branch gives fewer values than it";
        if (!areFree(taken))
            return "a node in its branch is to stay as it is";
        for (const NodeId id : region.nodes) {
            const Node& inner = m_model.node(id);
            if (isConstantNode(inner) && !isMoved(inner.outputs.empty() ? ValueId{} : inner.outputs[0]))
                return "a constant in its branch cannot be moved";
        }
        const auto& held = m_initializers[taken.index];
        const bool areMoved = std::ranges::all_of(held, [&](ValueId value) { return isMoved(value); });
        const bool isGiven = std::ranges::any_of(region.outputs, [&](ValueId value) { return !value.valid(); });
        if (!areMoved || isGiven)
            return "a constant in its branch cannot be moved";
        return nullptr;
    }

    /// No node of a body, or of the bodies in it, is to stay as it is.
    [[nodiscard]] bool areFree(RegionId body) const
    {
        return std::ranges::all_of(m_model.region(body).nodes, [this](NodeId id) {
            const auto bodies = m_bodies.find(id.index);
            return m_scene.mayChange(id)
                && (bodies == m_bodies.end()
                    || std::ranges::all_of(bodies->second, [this](RegionId inner) { return areFree(inner); }));
        });
    }

    [[nodiscard]] bool isMoved(ValueId value) const
    {
        const Tensor* tensor = value.valid() ? m_model.constant(value) : nullptr;
        return tensor != nullptr && !tensor->bytes().empty() && !isOverridable(m_model, m_model.value(value))
            && static_cast<std::int64_t>(tensor->bytes().size()) <= kLargestConstant;
    }

    void take(NodeId id, RegionId taken)
    {
        const Node& owner = m_model.node(id);
        const Region& region = m_model.region(taken);
        std::unordered_map<std::uint32_t, std::string> names; // of the branch's own values
        const auto nameOf = [&](ValueId value) {
            if (!value.valid())
                return std::string();
            const std::string& name = m_model.value(value).name;
            if (m_model.value(value).region != taken)
                return name;
            const auto [entry, isNew] = names.try_emplace(value.index);
            if (isNew)
                entry->second = m_counts.at(name) == 1 ? name : m_names.value(name);
            return entry->second;
        };
        for (const ValueId value : m_initializers[taken.index])
            addConstant(value, nameOf(value), owner.region);
        for (const NodeId each : region.nodes) {
            const Node& inner = m_model.node(each);
            if (isConstantNode(inner)) {
                addConstant(inner.outputs[0], nameOf(inner.outputs[0]), owner.region);
                continue;
            }
            NewNode moved{nameIn(owner, inner), inner.opType, inner.domain, {}, {}, {}, inner.metadata, id, false,
                owner.region, each};
            for (const ValueId input : inner.inputs)
                moved.inputs.push_back(nameOf(input));
            for (const ValueId output : inner.outputs)
                moved.outputs.push_back(nameOf(output));
            for (const ValueId value : capturedBy(each, taken)) {
                if (const std::string& before = m_model.value(value).name; nameOf(value) != before)
                    moved.captured.emplace_back(before, nameOf(value));
            }
            m_edits.newNodes.push_back(std::move(moved));
        }
        for (std::size_t port = 0; port < owner.outputs.size(); ++port) {
            if (owner.outputs[port].valid())
                addOutput(id, port, nameOf(region.outputs[port]));
        }
        m_edits.removedNodes.push_back(id);
        m_result.applied.push_back(id);
        m_isTaken[id.index] = true;
    }

    /// By which a node of its branch is shown under the same name where the owner stands.
    [[nodiscard]] static std::string nameIn(const Node& owner, const Node& inner)
    {
        const std::size_t local = std::min(owner.name.size(), owner.localName.size());
        const std::string prefix = owner.name.substr(0, owner.name.size() - local);
        return inner.name.starts_with(prefix) ? inner.name.substr(prefix.size()) : inner.name;
    }

    /// Values of a graph that the bodies of a node in it read or give.
    [[nodiscard]] std::set<ValueId> capturedBy(NodeId node, RegionId around) const
    {
        std::set<ValueId> captured;
        const auto add = [&](ValueId value) {
            if (value.valid() && m_model.value(value).region == around)
                captured.insert(value);
        };
        const auto bodies = m_bodies.find(node.index);
        std::vector<RegionId> open = bodies == m_bodies.end() ? std::vector<RegionId>() : bodies->second;
        while (!open.empty()) {
            const Region& region = m_model.region(open.back());
            open.pop_back();
            std::ranges::for_each(region.outputs, add);
            for (const NodeId id : region.nodes) {
                std::ranges::for_each(m_model.node(id).inputs, add);
                if (const auto inner = m_bodies.find(id.index); inner != m_bodies.end())
                    open.insert(open.end(), inner->second.begin(), inner->second.end());
            }
        }
        return captured;
    }

    void addConstant(ValueId value, std::string name, RegionId region)
    {
        const Tensor& tensor = *m_model.constant(value);
        m_edits.newTensors.push_back(
            {std::move(name), tensor.type, tensor.dims, {tensor.bytes().begin(), tensor.bytes().end()}, region});
    }

    const PassScene& m_scene;
    const Model& m_model;
    EditNames m_names;
    std::vector<bool> m_never; // [regions]
    std::vector<std::vector<ValueId>> m_initializers; // [regions]
    std::vector<bool> m_isTaken; // [nodes] with bodies that are there no more
    std::unordered_map<std::uint32_t, std::vector<RegionId>> m_bodies; // of nodes
    std::unordered_map<std::string, int> m_counts; // of values' names
    EditList m_edits;
    PassResult m_result;
};

} // namespace

PassResult takeBranches(const PassScene& scene)
{
    const bool mayBe = scene.model.regions.size() > 1 && scene.model.irVersion >= kInitializersNeedNoInput;
    return mayBe ? BranchTaking(scene).run() : PassResult{};
}

} // namespace duo
