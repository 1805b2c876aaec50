// SPDX-License-Identifier: Apache-2.0
#include "core/model/constant_conditions.h"
#include "core/transform/common_passes.h"

#include <algorithm>

namespace duo {
namespace {

class DeadCode
{
public:
    explicit DeadCode(const PassScene& scene)
        : m_scene(scene)
        , m_model(scene.model)
        , m_reads(scene.model.values.size())
        , m_isDead(scene.model.nodes.size())
    {
    }

    PassResult run()
    {
        countReads();
        for (auto id = m_model.order.rbegin(); id != m_model.order.rend(); ++id) {
            if (mayGo(*id))
                remove(*id);
        }
        // an owner stands before its bodies in the order, so what only they read is found now
        while (!m_pending.empty()) {
            const NodeId id = m_pending.back();
            m_pending.pop_back();
            if (!m_isDead[id.index] && mayGo(id))
                remove(id);
        }
        removeOutermost();
        removeTensors();
        if (m_result.applied.empty() && m_edits.removedTensors.empty() && m_edits.removedInBodies.empty())
            return {};
        m_result.edits = std::move(m_edits);
        return std::move(m_result);
    }

private:
    void countReads()
    {
        for (std::size_t v = 0; v < m_model.values.size(); ++v)
            m_reads[v] = m_model.values[v].uses.size() + (m_model.values[v].isOutput ? 1U : 0U);
        for (const Region& region : m_model.regions) {
            for (const ValueId output : region.outputs) {
                if (output.valid())
                    ++m_reads[output.index];
            }
        }
        for (const Node& node : m_model.nodes) {
            for (const ValueId input : node.inputs) {
                if (node.isCall && input.valid())
                    ++m_reads[input.index]; // its file names it, read inside or not
            }
        }
    }

    /// Functions stay whole: what they give may pass straight through them.
    [[nodiscard]] bool mayGo(NodeId id) const
    {
        const Node& node = m_model.node(id);
        return !node.isCall && !m_model.isInFunction(node) && m_scene.mayChange(id)
            && std::ranges::all_of(
                node.outputs, [&](ValueId output) { return !output.valid() || m_reads[output.index] == 0; });
    }

    void remove(NodeId id)
    {
        m_isDead[id.index] = true;
        const Node& node = m_model.node(id);
        for (const ValueId input : node.inputs)
            release(input);
        for (std::size_t n = id.index + 1; n < m_model.nodes.size() && isInside(NodeId(n), id); ++n) {
            if (m_isDead[n])
                continue;
            m_isDead[n] = true;
            for (const ValueId input : m_model.nodes[n].inputs)
                release(input);
        }
    }

    void release(ValueId value)
    {
        if (!value.valid() || m_reads[value.index] == 0)
            return;
        if (--m_reads[value.index] == 0 && m_model.value(value).producer.valid())
            m_pending.push_back(m_model.value(value).producer);
    }

    [[nodiscard]] bool isInside(NodeId id, NodeId owner) const
    {
        for (NodeId at = m_model.region(m_model.node(id).region).owner; at.valid();
             at = m_model.region(m_model.node(at).region).owner) {
            if (at == owner)
                return true;
        }
        return false;
    }

    void removeOutermost()
    {
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
            if (!m_isDead[n])
                continue;
            m_result.applied.emplace_back(n);
            const NodeId owner = m_model.region(m_model.nodes[n].region).owner;
            if (!owner.valid() || !m_isDead[owner.index])
                m_edits.removedNodes.emplace_back(n);
        }
    }

    void removeTensors()
    {
        for (std::size_t v = 0; v < m_model.values.size(); ++v) {
            const Value& value = m_model.values[v];
            const NodeId owner = m_model.region(value.region).owner;
            const bool goesWithBody = owner.valid() && m_isDead[owner.index];
            if (!value.initializer.valid() || value.producer.valid() || m_reads[v] > 0 || goesWithBody || value.isInput
                || isOverridable(m_model, value) || isOfFunction(value.region))
                continue;
            if (owner.valid())
                m_edits.removedInBodies.emplace_back(value.region, value.name);
            else
                m_edits.removedTensors.push_back(value.name);
        }
    }

    [[nodiscard]] bool isOfFunction(RegionId region) const
    {
        const NodeId owner = m_model.region(region).owner;
        return owner.valid() && (m_model.node(owner).isCall || m_model.isInFunction(m_model.node(owner)));
    }

    const PassScene& m_scene;
    const Model& m_model;
    std::vector<std::size_t> m_reads; // [values] left
    std::vector<bool> m_isDead; // [nodes]
    std::vector<NodeId> m_pending; // what they gave may be read no more
    EditList m_edits;
    PassResult m_result;
};

} // namespace

PassResult removeDeadCode(const PassScene& scene)
{
    return DeadCode(scene).run();
}

} // namespace duo
