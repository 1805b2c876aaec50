// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/op_graph.h"

#include "core/interchange/found_quantizers.h"
#include "core/model/constant_conditions.h"
#include "core/model/op_facts.h"
#include "core/quantize/points/profile_rules.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

/// Where the target quantizes bodies: those of If, Loop and Scan that may run, not inside calls.
std::vector<bool> regionsOfOperators(const Model& model, const Target& target)
{
    std::vector<bool> holdsOps(model.regions.size(), false);
    holdsOps[0] = true;
    if (model.regions.size() == 1 || !target.quantizesBodies)
        return holdsOps;
    const std::vector<bool> never = bodiesNeverRun(model);
    for (std::size_t r = 1; r < holdsOps.size(); ++r) { // a region comes behind the one around it
        const Node& owner = model.node(model.regions[r].owner);
        holdsOps[r] = hasBodies(owner) && !owner.isCall && !never[r] && holdsOps[owner.region.index];
    }
    return holdsOps;
}

/// Bodies that hold operators: what they are given, and what their operators read of the graphs around.
class Bodies
{
public:
    Bodies(const Model& model, const std::vector<bool>& holdsOps)
        : m_model(model)
        , m_host(model.regions.size(), RegionId(0))
        , m_captured(model.regions.size())
    {
        if (std::count(holdsOps.begin(), holdsOps.end(), true) < 2)
            return;
        for (std::size_t r = 1; r < m_host.size(); ++r) {
            m_host[r] = holdsOps[r] ? RegionId(r) : m_host[model.node(model.regions[r].owner).region.index];
            if (holdsOps[r])
                m_ofOwner.emplace(model.regions[r].owner, RegionId(r));
        }
        for (std::size_t v = 0; v < model.values.size(); ++v)
            capture(ValueId(v));
    }

    /// The innermost region around that holds operators, itself included.
    [[nodiscard]] RegionId host(RegionId region) const { return m_host[region.index]; }
    [[nodiscard]] auto ofOwner(NodeId owner) const { return m_ofOwner.equal_range(owner); } // by region
    [[nodiscard]] const std::vector<ValueId>& captured(RegionId region) const { return m_captured[region.index]; }

private:
    /// A value is captured by every body between the graph that gives it and the one that reads it.
    void capture(ValueId id)
    {
        const Value& value = m_model.value(id);
        if (value.initializer.valid() || m_model.constant(id) != nullptr)
            return;
        const RegionId home = host(value.region);
        for (const Use& use : value.uses) {
            RegionId region = host(m_model.node(use.node).region);
            while (region != home && region.index != 0) {
                auto& captured = m_captured[region.index];
                if (!captured.empty() && captured.back() == id) // values come one after the other
                    break;
                captured.push_back(id);
                region = host(m_model.node(m_model.region(region).owner).region);
            }
        }
    }

    const Model& m_model;
    std::vector<RegionId> m_host; // [regions]
    std::multimap<NodeId, RegionId> m_ofOwner;
    std::vector<std::vector<ValueId>> m_captured; // [regions]
};

Op borderOp(OpKind kind, ValueId value, RegionId region)
{
    return {kind, {}, value, {}, {}, {}, region};
}

void addBodyInputsInPlace(OpGraph& graph, const Model& model, const Bodies& bodies, NodeId owner)
{
    const auto [first, last] = bodies.ofOwner(owner);
    for (auto body = first; body != last; ++body) {
        for (const ValueId input : model.region(body->second).inputs) {
            if (input.valid())
                graph.ops.push_back(borderOp(OpKind::Input, input, body->second));
        }
        for (const ValueId value : bodies.captured(body->second))
            graph.ops.push_back(borderOp(OpKind::Input, value, body->second));
    }
}

/// A node of a known operator with a body of its own is none that anything is known of.
OpTraits traitsOf(const Model& model, NodeId id, const std::vector<bool>& ownsBody, const Target& target)
{
    OpTraits traits = opTraits(model, model.node(id), target);
    if (ownsBody[id.index] && traits.trait != Trait::NonQuantizable)
        return OpTraits{};
    return traits;
}

std::vector<bool> bodyOwners(const Model& model)
{
    std::vector<bool> ownsBody(model.nodes.size());
    for (const Region& region : model.regions) {
        if (region.owner.valid() && !region.attribute.empty())
            ownsBody[region.owner.index] = true;
    }
    return ownsBody;
}

void addOpsInPlace(OpGraph& graph, const Model& model, const Bodies& bodies, const Target& target)
{
    const Region& main = model.mainGraph();
    graph.ops.reserve(main.inputs.size() + model.order.size() + main.outputs.size());
    for (const ValueId input : main.inputs) {
        graph.ops.push_back({OpKind::Input, {}, input, {}, {}, {}});
        graph.ops.back().traits.roles = role::kInput;
    }
    graph.opOfNode.assign(model.nodes.size(), kNoIndex);
    const std::vector<bool> ownsBody = bodyOwners(model);
    for (const NodeId id : model.order) { // an owner comes before its regions' nodes
        const RegionId region = model.node(id).region;
        if (graph.holdsOps[region.index]) {
            graph.opOfNode[id.index] = static_cast<OpIndex>(graph.ops.size());
            graph.ops.push_back({OpKind::Node, id, {}, traitsOf(model, id, ownsBody, target), {}, {}, region});
            addBodyInputsInPlace(graph, model, bodies, id);
        } else {
            graph.opOfNode[id.index] = graph.opOfNode[model.region(region).owner.index];
        }
    }
    for (const ValueId output : main.outputs) {
        graph.ops.push_back({OpKind::Output, {}, output, {}, {}, {}});
        graph.ops.back().traits.roles = role::kOutput;
    }
    for (std::size_t r = 1; r < model.regions.size(); ++r) {
        for (const ValueId output : model.regions[r].outputs) {
            if (graph.holdsOps[r] && output.valid())
                graph.ops.push_back(borderOp(OpKind::Output, output, RegionId(r)));
        }
    }
}

/// float32, also where only a constant operand of the reader tells so (values behind custom operators have no type).
bool isFloat32(const Model& model, ValueId value, const Node& reader, const OpTraits& traits)
{
    const ElementType type = model.value(value).type.element;
    if (type != ElementType::Undefined)
        return type == ElementType::Float32;
    if (traits.trait != Trait::InputsQuantizable)
        return false;
    return std::any_of(reader.inputs.begin(), reader.inputs.end(),
        [&](ValueId other) { return other.valid() && model.value(other).type.element == ElementType::Float32; });
}

class EdgeBuilder
{
public:
    EdgeBuilder(const Model& model, OpGraph& graph, const Bodies& bodies, bool seesBodies)
        : m_model(model)
        , m_graph(graph)
        , m_seesBodies(seesBodies)
        , m_producers(model.values.size(), kNoIndex)
    {
        for (std::size_t v = 0; v < model.values.size(); ++v) {
            if (model.values[v].producer.valid())
                m_producers[v] = graph.opOfNode[model.values[v].producer.index];
        }
        for (OpIndex op = 0; op < graph.ops.size(); ++op) {
            const Op& input = graph.ops[op];
            if (input.kind != OpKind::Input)
                continue;
            const bool isGiven = !m_model.value(input.value).producer.valid()
                && bodies.host(model.value(input.value).region) == input.region;
            if (isGiven)
                m_producers[input.value.index] = op;
            else
                m_capturing[{input.region, input.value}] = op;
        }
    }

    void addAll()
    {
        for (std::size_t v = 0; v < m_producers.size(); ++v) {
            if (m_producers[v] != kNoIndex)
                addReads(ValueId(v));
        }
        for (OpIndex op = 0; op < m_graph.ops.size(); ++op) {
            if (m_graph.ops[op].kind == OpKind::Output)
                addOutput(op);
            else if (m_graph.ops[op].kind == OpKind::Input && m_graph.ops[op].isBorder())
                addBorder(op);
        }
    }

private:
    /// Who gives a value inside a graph: kNoIndex where nobody does.
    [[nodiscard]] OpIndex giver(ValueId value, RegionId region) const
    {
        const OpIndex producer = value.valid() ? m_producers[value.index] : kNoIndex;
        if (producer == kNoIndex || m_graph.ops[producer].region == region)
            return producer;
        const auto found = m_capturing.find({region, value});
        return found == m_capturing.end() ? kNoIndex : found->second;
    }

    void addReads(ValueId value)
    {
        std::uint32_t bodyReads = 0;
        for (const Use& use : m_model.value(value).uses) {
            const OpIndex to = m_graph.opOfNode[use.node.index];
            const OpIndex from = giver(value, m_graph.ops[to].region);
            if (to == from || from == kNoIndex)
                continue;
            const Node& reader = m_model.node(use.node);
            const bool isDirect = m_graph.holdsOps[reader.region.index];
            if (!isDirect && !m_seesBodies)
                continue;
            const std::uint32_t port = isDirect ? use.port : kBodyPort + bodyReads++;
            addEdge({from, to, port, value, false}, reader);
        }
    }

    /// In bodies only what the file tells is float: the engine can be asked for the main graph alone.
    void addEdge(OpEdge edge, const Node& reader)
    {
        edge.isFloat = m_graph.ops[edge.to].region == RegionId(0)
            ? isFloat32(m_model, edge.value, reader, m_graph.ops[edge.to].traits)
            : m_model.value(edge.value).type.element == ElementType::Float32;
        m_graph.edges.push_back(edge);
    }

    void addOutput(OpIndex op)
    {
        const ValueId value = m_graph.ops[op].value;
        const OpIndex from = giver(value, m_graph.ops[op].region);
        if (from != kNoIndex)
            m_graph.edges.push_back({from, op, 0, value, m_model.value(value).type.element == ElementType::Float32});
    }

    /// What a body is given depends on its owner; what it reads of the graph around is read by its owner there.
    void addBorder(OpIndex input)
    {
        const Op& op = m_graph.ops[input];
        const OpIndex owner = m_graph.opOfNode[m_model.region(op.region).owner.index];
        if (m_producers[op.value.index] == input) {
            m_graph.edges.push_back({owner, input, 0, op.value, false, true});
            return;
        }
        const OpIndex from = giver(op.value, m_graph.ops[owner].region);
        if (from == kNoIndex)
            return;
        m_graph.edges.push_back({from, input, 0, op.value, false, true});
        addEdge(
            {from, owner, kBodyPort + m_bodyReads[owner]++, op.value, false}, m_model.node(m_graph.ops[owner].node));
    }

    const Model& m_model;
    OpGraph& m_graph;
    bool m_seesBodies; // what nodes of bodies read is an edge to their owner
    std::vector<OpIndex> m_producers; // [values]
    std::map<std::pair<RegionId, ValueId>, OpIndex> m_capturing;
    std::map<OpIndex, std::uint32_t> m_bodyReads; // edges of what owners' bodies read
};

void addEdgesInPlace(OpGraph& graph, const Model& model, const Bodies& bodies, bool seesBodies)
{
    EdgeBuilder(model, graph, bodies, seesBodies).addAll();
    // A malformed wiring must not break the topological order the algorithms rely on.
    std::erase_if(graph.edges, [](const OpEdge& edge) { return edge.from >= edge.to; });
    std::stable_sort(graph.edges.begin(), graph.edges.end(),
        [](const OpEdge& a, const OpEdge& b) { return std::pair(a.to, a.port) < std::pair(b.to, b.port); });
}

void linkInPlace(OpGraph& graph, const std::vector<bool>& isLinked, bool acrossBorders)
{
    for (Op& op : graph.ops) {
        op.in.clear();
        op.out.clear();
    }
    for (EdgeIndex e = 0; e < graph.edges.size(); ++e) {
        const OpEdge& edge = graph.edges[e];
        if (!isLinked[edge.from] || !isLinked[edge.to] || (edge.isBorder && !acrossBorders))
            continue;
        graph.ops[edge.to].in.push_back(e);
        graph.ops[edge.from].out.push_back(e);
    }
}

/// Inputs of the model and tables whose rows are looked up.
std::vector<OpIndex> startOps(const OpGraph& graph)
{
    std::vector<OpIndex> starts;
    for (OpIndex op = 0; op < graph.ops.size(); ++op) {
        const bool isInput = graph.ops[op].kind == OpKind::Input && !graph.ops[op].isBorder();
        if (isInput || graph.ops[op].traits.trait == Trait::Embedding)
            starts.push_back(op);
    }
    return starts;
}

/// Everything reachable forward from `starts`, itself included; operators with `isBarred` are not entered.
std::vector<bool> reachableForward(const OpGraph& graph, std::vector<OpIndex> stack, const std::vector<bool>& isBarred)
{
    std::vector<bool> reached(graph.ops.size(), false);
    while (!stack.empty()) {
        const OpIndex op = stack.back();
        stack.pop_back();
        if (reached[op] || isBarred[op])
            continue;
        reached[op] = true;
        for (const EdgeIndex e : graph.ops[op].out)
            stack.push_back(graph.edges[e].to);
    }
    return reached;
}

/// Shape operators that data reaches, and all around them that data does not.
std::vector<bool> shapeSubgraphs(
    const OpGraph& graph, const std::vector<bool>& isShape, const std::vector<bool>& isData)
{
    std::vector<bool> found(graph.ops.size(), false);
    std::vector<OpIndex> stack;
    const auto pushReaders = [&](OpIndex op) {
        for (const EdgeIndex e : graph.ops[op].out)
            stack.push_back(graph.edges[e].to);
    };
    for (OpIndex op = 0; op < graph.ops.size(); ++op) {
        const auto& in = graph.ops[op].in;
        if (isShape[op]
            && std::any_of(in.begin(), in.end(), [&](EdgeIndex e) { return isData[graph.edges[e].from]; })) {
            found[op] = true;
            pushReaders(op);
        }
    }
    while (!stack.empty()) {
        const OpIndex op = stack.back();
        stack.pop_back();
        if (found[op] || isData[op])
            continue;
        found[op] = true;
        pushReaders(op);
        for (const EdgeIndex e : graph.ops[op].in)
            stack.push_back(graph.edges[e].from);
    }
    return found;
}

} // namespace

PortTable::PortTable(const Model& model)
{
    m_first.reserve(model.nodes.size() + 1);
    m_firstOutput.reserve(model.nodes.size() + 1);
    for (const Node& node : model.nodes) {
        m_values.insert(m_values.end(), node.inputs.begin(), node.inputs.end());
        m_outputs.insert(m_outputs.end(), node.outputs.begin(), node.outputs.end());
        m_first.push_back(static_cast<std::uint32_t>(m_values.size()));
        m_firstOutput.push_back(static_cast<std::uint32_t>(m_outputs.size()));
    }
    m_producers.reserve(model.values.size());
    m_firstUse.reserve(model.values.size() + 1);
    for (const Value& value : model.values) {
        m_producers.push_back(value.producer);
        m_uses.insert(m_uses.end(), value.uses.begin(), value.uses.end());
        m_firstUse.push_back(static_cast<std::uint32_t>(m_uses.size()));
    }
}

OpGraph buildOpGraph(const Model& model, const Target& target)
{
    OpGraph graph;
    graph.holdsOps = regionsOfOperators(model, target);
    const Bodies bodies(model, graph.holdsOps);
    addOpsInPlace(graph, model, bodies, target);
    graph.ports = PortTable(model);
    addEdgesInPlace(graph, model, bodies, !target.likeNncf); // NNCF does not look into bodies
    const std::size_t count = graph.ops.size();
    const std::vector<bool> nothing(count, false);
    linkInPlace(graph, std::vector<bool>(count, true), true);

    std::vector<bool> isShape(count, false);
    for (OpIndex op = 0; op < count; ++op)
        isShape[op] = graph.ops[op].traits.isShape;
    const auto starts = startOps(graph);
    graph.isShapeOnly = shapeSubgraphs(graph, isShape, reachableForward(graph, starts, isShape));
    graph.isConstantOnly = reachableForward(graph, starts, nothing);
    if (starts.empty())
        graph.isConstantOnly.assign(count, false); // nothing tells constants apart
    else
        graph.isConstantOnly.flip();

    std::vector<bool> isInference(count);
    for (OpIndex op = 0; op < count; ++op)
        isInference[op] = graph.isInference(op);
    linkInPlace(graph, isInference, false);
    return graph;
}

OpGraph withoutFileQuantizers(OpGraph graph, const Model& model)
{
    std::vector<OpIndex> source(graph.ops.size()); // what gives the numbers that the operator gives
    for (OpIndex op = 0; op < graph.ops.size(); ++op) {
        Op& reader = graph.ops[op];
        for (const EdgeIndex e : reader.in)
            graph.edges[e].from = source[graph.edges[e].from];
        const bool isPassed
            = reader.kind == OpKind::Node && isQuantizerOrBarrier(model.node(reader.node)) && !reader.in.empty();
        source[op] = isPassed ? graph.edges[reader.in.front()].from : op;
        if (isPassed)
            reader.in.clear();
    }
    for (Op& op : graph.ops)
        op.out.clear();
    for (Op& op : graph.ops) {
        for (const EdgeIndex e : op.in)
            graph.ops[graph.edges[e].from].out.push_back(e);
    }
    return graph;
}

} // namespace duo
