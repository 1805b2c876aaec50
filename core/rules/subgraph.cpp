// SPDX-License-Identifier: Apache-2.0
#include "core/rules/subgraph.h"

#include <optional>

namespace duo {
namespace {

/// Dataflow between nodes as the rule sees it: through values, and from a body's outputs to its owner.
class Flow
{
public:
    explicit Flow(const Model& model)
        : m_model(model)
        , m_bodyOutputOf(model.values.size())
    {
        for (const Region& region : model.regions) {
            if (!region.owner.valid() || model.node(region.owner).isCall)
                continue;
            for (const ValueId output : region.outputs) {
                if (output.valid())
                    m_bodyOutputOf[output.index] = region.owner;
            }
        }
        for (std::size_t r = 0; r < model.regions.size(); ++r) {
            if (model.regions[r].owner.valid())
                m_regionsOf[model.regions[r].owner].push_back(RegionId(r));
        }
    }

    [[nodiscard]] const std::vector<RegionId>& regionsOf(NodeId node) const
    {
        static const std::vector<RegionId> none;
        if (m_regionsOf.empty())
            return none;
        const auto found = m_regionsOf.find(node);
        return found == m_regionsOf.end() ? none : found->second;
    }

    template <typename Visit> void eachReader(NodeId node, Visit visit) const
    {
        for (const ValueId output : m_model.node(node).outputs) {
            if (!output.valid())
                continue;
            for (const Use& use : m_model.value(output).uses) {
                visit(use.node);
                eachOwnerAbove(use.node, visit);
            }
            if (m_bodyOutputOf[output.index].valid())
                visit(m_bodyOutputOf[output.index]);
        }
        for (const RegionId region : regionsOf(node)) { // a loop hands its inputs to the inputs of its body
            for (const ValueId input : m_model.region(region).inputs) {
                for (const Use& use : m_model.value(input).uses)
                    visit(use.node);
            }
        }
    }

    template <typename Visit> void eachProducer(NodeId node, Visit visit) const
    {
        for (const ValueId input : m_model.node(node).inputs) {
            if (!input.valid())
                continue;
            const Value& value = m_model.value(input);
            if (value.producer.valid()) {
                visit(value.producer);
                continue;
            }
            const NodeId owner = m_model.region(value.region).owner;
            if (owner.valid() && !value.initializer.valid())
                visit(owner); // an input of the body
        }
        // What a body reads and produces flows through its owner.
        for (const RegionId region : regionsOf(node)) {
            for (const ValueId output : m_model.region(region).outputs) {
                if (output.valid() && m_model.value(output).producer.valid())
                    visit(m_model.value(output).producer);
            }
        }
    }

    /// A body node that reads an outer value makes its owner a reader as well.
    template <typename Visit> void eachOwnerAbove(NodeId node, Visit visit) const
    {
        for (NodeId owner = m_model.region(m_model.node(node).region).owner; owner.valid();
             owner = m_model.region(m_model.node(owner).region).owner) {
            if (!m_model.node(owner).isCall)
                visit(owner);
        }
    }

private:
    const Model& m_model;
    std::vector<NodeId> m_bodyOutputOf;
    std::unordered_map<NodeId, std::vector<RegionId>> m_regionsOf;
};

/// The nodes a rule's end stands for: itself, or for a call all nodes of its body.
std::vector<NodeId> spread(const Model& model, const Flow& flow, std::span<const NodeId> ends)
{
    std::vector<NodeId> open(ends.begin(), ends.end());
    std::vector<NodeId> nodes;
    while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        if (!model.node(node).isCall) {
            nodes.push_back(node);
            continue;
        }
        for (const RegionId region : flow.regionsOf(node)) {
            const auto& inside = model.region(region).nodes;
            open.insert(open.end(), inside.begin(), inside.end());
        }
    }
    return nodes;
}

template <typename Step> std::vector<bool> reach(std::size_t nodes, std::vector<NodeId> open, Step step)
{
    std::vector<bool> seen(nodes, false);
    for (const NodeId node : open)
        seen[node.index] = true;
    while (!open.empty()) {
        const NodeId node = open.back();
        open.pop_back();
        step(node, [&](NodeId next) {
            if (seen[next.index])
                return;
            seen[next.index] = true;
            open.push_back(next);
        });
    }
    return seen;
}

/// Control-flow nodes in the set take their bodies along; calls join when a node of their body did.
void addBodies(const Model& model, const Flow& flow, const std::vector<bool>& isEnd, std::vector<bool>& inside)
{
    if (model.regions.size() == 1)
        return; // no bodies
    std::vector<bool> holdsEnd(model.nodes.size(), false);
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const auto mark = [&](NodeId owner) { holdsEnd[owner.index] = true; };
        if (isEnd[n])
            flow.eachOwnerAbove(NodeId(n), mark);
    }
    for (std::size_t n = 0; n < model.nodes.size(); ++n) { // owners come before their regions' nodes
        const NodeId owner = model.region(model.nodes[n].region).owner;
        if (owner.valid() && inside[owner.index] && !holdsEnd[owner.index] && !model.node(owner).isCall)
            inside[n] = true;
    }
    for (std::size_t n = model.nodes.size(); n-- > 0;) {
        const NodeId owner = model.region(model.nodes[n].region).owner;
        if (inside[n] && owner.valid() && model.node(owner).isCall)
            inside[owner.index] = true;
    }
}

} // namespace

std::vector<NodeId> nodesBetween(const Model& model, std::span<const NodeId> inputs, std::span<const NodeId> outputs)
{
    const Flow flow(model);
    const std::vector<NodeId> from = spread(model, flow, inputs);
    const std::vector<NodeId> to = spread(model, flow, outputs);
    const auto below = reach(model.nodes.size(), from, [&](NodeId node, auto visit) { flow.eachReader(node, visit); });
    const auto above = reach(model.nodes.size(), to, [&](NodeId node, auto visit) { flow.eachProducer(node, visit); });

    std::vector<bool> isEnd(model.nodes.size(), false);
    for (const NodeId node : from)
        isEnd[node.index] = true;
    for (const NodeId node : to)
        isEnd[node.index] = true;
    std::vector<bool> inside(model.nodes.size(), false);
    for (std::size_t n = 0; n < inside.size(); ++n)
        inside[n] = below[n] && above[n];
    addBodies(model, flow, isEnd, inside);

    std::vector<NodeId> nodes;
    for (std::size_t n = 0; n < inside.size(); ++n) {
        if (inside[n])
            nodes.emplace_back(n);
    }
    return nodes;
}

} // namespace duo
