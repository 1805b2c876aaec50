// SPDX-License-Identifier: Apache-2.0
#include "core/scope/structure/work_sequence.h"

#include <algorithm>
#include <tuple>

namespace duo {
namespace {

/// The graph a region belongs to: itself, or the one around the call of a function.
std::vector<RegionId> graphsOfRegions(const Model& model)
{
    std::vector<RegionId> graphs(model.regions.size());
    for (std::size_t r = 0; r < graphs.size(); ++r) {
        RegionId graph(r);
        while (model.region(graph).owner.valid() && model.node(model.region(graph).owner).isCall) {
            graph = model.node(model.region(graph).owner).region;
            if (graph.index < r) { // settled already
                graph = graphs[graph.index];
                break;
            }
        }
        graphs[r] = graph;
    }
    return graphs;
}

class Sequencer
{
public:
    explicit Sequencer(const Model& model)
        : m_model(model)
        , m_graphOf(graphsOfRegions(model))
        , m_constants(model)
        , m_captured(model.nodes.size())
        , m_depth(model.nodes.size(), 0)
        , m_sources(model.nodes.size(), 0)
        , m_numbers(model.values.size())
        , m_place(model.nodes.size(), kOpen)
    {
        findCaptured();
        findDepths();
        findSources();
    }

    std::vector<WorkSequence> run()
    {
        std::vector<std::vector<NodeId>> nodesOf(m_model.regions.size());
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
            if (isWork(NodeId(n)))
                nodesOf[graphOf(NodeId(n)).index].push_back(NodeId(n));
        }
        std::vector<WorkSequence> sequences;
        for (std::size_t r = 0; r < nodesOf.size(); ++r) {
            if (nodesOf[r].empty())
                continue;
            sequences.emplace_back();
            sequences.back().region = RegionId(r);
            order(nodesOf[r], sequences.back());
            link(sequences.back());
        }
        return sequences;
    }

private:
    static constexpr std::uint32_t kOpen = WorkRead::kOutside;

    struct Numbered {
        RegionId graph;
        std::uint32_t number = 0;
    };

    struct Visit {
        NodeId node;
        std::vector<NodeId> producers; // in the order they are to be visited
        std::size_t next = 0;
    };

    bool isWork(NodeId id) const { return !m_model.node(id).isCall && !m_constants.isConstantNode(id); }
    RegionId graphOf(NodeId id) const { return m_graphOf[m_model.node(id).region.index]; }

    /// What a body reads of the graphs around it, its owner reads.
    void findCaptured()
    {
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
            const RegionId graph = graphOf(NodeId(n));
            if (!m_model.region(graph).owner.valid())
                continue;
            for (const ValueId input : m_model.nodes[n].inputs) {
                if (!input.valid() || m_constants.isConstant(input) || !m_model.value(input).producer.valid())
                    continue;
                const RegionId source = graphOf(m_model.value(input).producer);
                RegionId inner = graph;
                NodeId owner;
                while (inner != source && m_model.region(inner).owner.valid()) {
                    owner = m_model.region(inner).owner;
                    inner = graphOf(owner);
                }
                if (owner.valid() && inner == source)
                    m_captured[owner.index].push_back(input);
            }
        }
    }

    template <typename Visitor> void forEachRead(NodeId id, Visitor visit) const
    {
        for (const ValueId input : m_model.node(id).inputs) {
            if (input.valid() && !m_constants.isConstant(input))
                visit(input);
        }
        for (const ValueId input : m_captured[id.index])
            visit(input);
    }

    /// The node of the same graph that makes a value; invalid where it comes from outside.
    NodeId producerOf(ValueId value, RegionId graph) const
    {
        const NodeId producer = m_model.value(value).producer;
        return producer.valid() && isWork(producer) && graphOf(producer) == graph ? producer : NodeId{};
    }

    void findDepths()
    {
        for (const NodeId id : m_model.order) {
            if (!isWork(id))
                continue;
            std::uint32_t depth = 0;
            forEachRead(id, [&](ValueId value) {
                const NodeId producer = producerOf(value, graphOf(id));
                if (producer.valid())
                    depth = std::max(depth, m_depth[producer.index] + 1);
            });
            m_depth[id.index] = depth;
        }
    }

    /// Which inputs of its graph a node depends on; more than 64 share numbers.
    void findSources()
    {
        std::vector<std::uint64_t> ofInput(m_model.values.size(), 0);
        for (const Region& region : m_model.regions) {
            for (std::size_t i = 0; i < region.inputs.size(); ++i) {
                if (region.inputs[i].valid())
                    ofInput[region.inputs[i].index] = std::uint64_t{1} << (i % 64);
            }
        }
        for (const NodeId id : m_model.order) {
            if (!isWork(id))
                continue;
            forEachRead(id, [&](ValueId value) {
                const NodeId producer = producerOf(value, graphOf(id));
                m_sources[id.index] |= producer.valid() ? m_sources[producer.index] : ofInput[value.index];
            });
        }
    }

    /// Nodes read in several places where other inputs of the graph come in: an attention mask, what an encoder made.
    /// They go first, or they would stand amid the block that reads them first.
    std::vector<NodeId> sharedSources(const std::vector<NodeId>& nodes) const
    {
        std::vector<NodeId> shared;
        for (const NodeId id : nodes) {
            std::size_t others = 0;
            for (const ValueId output : m_model.node(id).outputs) {
                if (!output.valid())
                    continue;
                for (const Use& use : m_model.value(output).uses) {
                    const bool isOther = isWork(use.node) && graphOf(use.node) == graphOf(id)
                        && m_sources[use.node.index] != m_sources[id.index];
                    others += isOther ? 1 : 0;
                }
            }
            if (others > 1)
                shared.push_back(id);
        }
        sortByWork(shared);
        return shared;
    }

    /// In an order that has nothing to do with the file's: shallow ones first.
    void sortByWork(std::vector<NodeId>& nodes) const
    {
        std::vector<std::tuple<std::uint32_t, std::uint64_t, std::uint64_t, std::string_view, NodeId>> keyed;
        for (const NodeId id : nodes)
            keyed.emplace_back(m_depth[id.index], workLabel(m_model, m_constants, id).hash, m_sources[id.index],
                m_model.node(id).name, id);
        std::sort(keyed.begin(), keyed.end());
        for (std::size_t i = 0; i < nodes.size(); ++i)
            nodes[i] = std::get<NodeId>(keyed[i]);
    }

    Visit visitOf(NodeId id) const
    {
        Visit visit{id, {}};
        forEachRead(id, [&](ValueId value) {
            const NodeId producer = producerOf(value, graphOf(id));
            if (producer.valid())
                visit.producers.push_back(producer);
        });
        std::stable_sort(visit.producers.begin(), visit.producers.end(),
            [&](NodeId a, NodeId b) { return m_depth[a.index] < m_depth[b.index]; });
        return visit;
    }

    void visit(NodeId root, WorkSequence& sequence)
    {
        if (m_place[root.index] != kOpen)
            return;
        std::vector<Visit> stack;
        stack.push_back(visitOf(root));
        while (!stack.empty()) {
            Visit& top = stack.back();
            if (top.next < top.producers.size()) {
                const NodeId producer = top.producers[top.next++];
                if (m_place[producer.index] == kOpen)
                    stack.push_back(visitOf(producer));
                continue;
            }
            if (m_place[top.node.index] == kOpen) {
                m_place[top.node.index] = static_cast<std::uint32_t>(sequence.nodes.size());
                sequence.nodes.emplace_back();
                sequence.nodes.back().id = top.node;
            }
            stack.pop_back();
        }
    }

    /// From the outputs; then from what nothing reads, the deep ones first.
    void order(const std::vector<NodeId>& nodes, WorkSequence& sequence)
    {
        sequence.nodes.reserve(nodes.size());
        for (const NodeId id : sharedSources(nodes))
            visit(id, sequence);
        for (const ValueId output : m_model.region(sequence.region).outputs) {
            const NodeId producer = output.valid() ? producerOf(output, sequence.region) : NodeId{};
            if (producer.valid())
                visit(producer, sequence);
        }
        std::vector<NodeId> rest;
        for (const NodeId id : nodes) {
            if (m_place[id.index] == kOpen)
                rest.push_back(id);
        }
        sortByWork(rest);
        std::for_each(rest.rbegin(), rest.rend(), [&](NodeId id) { visit(id, sequence); });
    }

    std::uint32_t numberOf(ValueId value, WorkSequence& sequence)
    {
        Numbered& numbered = m_numbers[value.index];
        if (numbered.graph != sequence.region)
            numbered = {sequence.region, sequence.values++};
        return numbered.number;
    }

    void link(WorkSequence& sequence)
    {
        for (std::uint32_t at = 0; at < sequence.nodes.size(); ++at) {
            WorkNode& node = sequence.nodes[at];
            node.kind = workLabel(m_model, m_constants, node.id);
            node.firstRead = static_cast<std::uint32_t>(sequence.reads.size());
            forEachRead(node.id, [&](ValueId value) {
                const NodeId producer = producerOf(value, sequence.region);
                const std::uint32_t place = producer.valid() ? m_place[producer.index] : WorkRead::kOutside;
                sequence.reads.push_back({place, numberOf(value, sequence)});
                if (producer.valid())
                    sequence.nodes[place].lastUse = at;
            });
        }
        for (WorkNode& node : sequence.nodes) {
            if (node.lastUse == 0)
                node.lastUse = WorkNode::kEnd;
        }
        for (const ValueId output : m_model.region(sequence.region).outputs) {
            const NodeId producer = output.valid() ? producerOf(output, sequence.region) : NodeId{};
            if (producer.valid())
                sequence.nodes[m_place[producer.index]].lastUse = WorkNode::kEnd;
        }
    }

    const Model& m_model;
    std::vector<RegionId> m_graphOf; // [regions]
    ConstantValues m_constants;
    std::vector<std::vector<ValueId>> m_captured; // [nodes] owners of bodies
    std::vector<std::uint32_t> m_depth; // [nodes] of the longest path from the inputs of its graph
    std::vector<std::uint64_t> m_sources; // [nodes] inputs, as bits
    std::vector<Numbered> m_numbers; // [values]
    std::vector<std::uint32_t> m_place; // [nodes] in the sequence of its graph
};

} // namespace

std::vector<WorkSequence> workSequences(const Model& model)
{
    return Sequencer(model).run();
}

} // namespace duo
