// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/op_graph.h"

#include <algorithm>

namespace duo {
namespace {

/// The node of the main graph that holds a node of a body or of an expanded function.
std::vector<NodeId> mainGraphOwners(const Model& model)
{
    std::vector<NodeId> owners(model.nodes.size());
    for (const NodeId id : model.order) { // an owner comes before its regions' nodes
        const RegionId region = model.node(id).region;
        owners[id.index] = region.index == 0 ? id : owners[model.region(region).owner.index];
    }
    return owners;
}

void addOpsInPlace(OpGraph& graph, const Model& model, const QuantizationSettings& settings)
{
    for (const ValueId input : model.mainGraph().inputs) {
        graph.ops.push_back({OpKind::Input, {}, input, {}, {}, {}});
        graph.ops.back().traits.roles = role::kInput;
    }
    graph.opOfNode.assign(model.nodes.size(), kNoIndex);
    const auto owners = mainGraphOwners(model);
    for (const NodeId id : model.order) {
        if (model.node(id).region.index == 0) {
            graph.opOfNode[id.index] = static_cast<OpIndex>(graph.ops.size());
            graph.ops.push_back({OpKind::Node, id, {}, opTraits(model, model.node(id), settings), {}, {}});
        } else {
            graph.opOfNode[id.index] = graph.opOfNode[owners[id.index].index];
        }
    }
    for (const ValueId output : model.mainGraph().outputs) {
        graph.ops.push_back({OpKind::Output, {}, output, {}, {}, {}});
        graph.ops.back().traits.roles = role::kOutput;
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
    EdgeBuilder(const Model& model, OpGraph& graph, bool seesBodies)
        : m_model(model)
        , m_graph(graph)
        , m_seesBodies(seesBodies)
    {
    }

    void addReads(OpIndex from, ValueId value)
    {
        std::uint32_t bodyReads = 0;
        for (const Use& use : m_model.value(value).uses) {
            const OpIndex to = m_graph.opOfNode[use.node.index];
            if (to == from)
                continue;
            const Node& reader = m_model.node(use.node);
            const bool isDirect = reader.region.index == 0;
            if (!isDirect && !m_seesBodies)
                continue;
            const std::uint32_t port = isDirect ? use.port : kBodyPort + bodyReads++;
            m_graph.edges.push_back({from, to, port, value, isFloat32(m_model, value, reader, m_graph.ops[to].traits)});
        }
    }

    void addOutputs(const std::vector<OpIndex>& producers)
    {
        for (OpIndex op = 0; op < m_graph.ops.size(); ++op) {
            if (m_graph.ops[op].kind != OpKind::Output)
                continue;
            const ValueId value = m_graph.ops[op].value;
            if (producers[value.index] != kNoIndex)
                m_graph.edges.push_back(
                    {producers[value.index], op, 0, value, m_model.value(value).type.element == ElementType::Float32});
        }
    }

private:
    const Model& m_model;
    OpGraph& m_graph;
    bool m_seesBodies; // what nodes of bodies read is an edge to their owner
};

void addEdgesInPlace(OpGraph& graph, const Model& model, bool seesBodies)
{
    std::vector<OpIndex> producers(model.values.size(), kNoIndex);
    for (std::size_t v = 0; v < model.values.size(); ++v) {
        if (model.values[v].producer.valid())
            producers[v] = graph.opOfNode[model.values[v].producer.index];
    }
    for (OpIndex op = 0; op < graph.ops.size() && graph.ops[op].kind == OpKind::Input; ++op)
        producers[graph.ops[op].value.index] = op;
    EdgeBuilder builder(model, graph, seesBodies);
    for (std::size_t v = 0; v < model.values.size(); ++v) {
        if (producers[v] != kNoIndex)
            builder.addReads(producers[v], ValueId(v));
    }
    builder.addOutputs(producers);
    // A malformed wiring must not break the topological order the algorithms rely on.
    std::erase_if(graph.edges, [](const OpEdge& edge) { return edge.from >= edge.to; });
    std::stable_sort(graph.edges.begin(), graph.edges.end(),
        [](const OpEdge& a, const OpEdge& b) { return std::pair(a.to, a.port) < std::pair(b.to, b.port); });
}

void linkInPlace(OpGraph& graph, const std::vector<bool>& isLinked)
{
    for (Op& op : graph.ops) {
        op.in.clear();
        op.out.clear();
    }
    for (EdgeIndex e = 0; e < graph.edges.size(); ++e) {
        const OpEdge& edge = graph.edges[e];
        if (!isLinked[edge.from] || !isLinked[edge.to])
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
        if (graph.ops[op].kind == OpKind::Input || graph.ops[op].traits.trait == Trait::Embedding)
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

OpGraph buildOpGraph(const Model& model, const QuantizationSettings& settings)
{
    OpGraph graph;
    addOpsInPlace(graph, model, settings);
    graph.ports = PortTable(model);
    addEdgesInPlace(graph, model, !settings.nncfCompatible); // NNCF does not look into bodies
    const std::size_t count = graph.ops.size();
    const std::vector<bool> nothing(count, false);
    linkInPlace(graph, std::vector<bool>(count, true));

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
    linkInPlace(graph, isInference);
    return graph;
}

} // namespace duo
