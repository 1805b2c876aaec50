// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/fusion.h"

#include <algorithm>

namespace duo {
namespace {

/// [ops] the match an operator belongs to, or kNoIndex.
std::vector<std::uint32_t> matchOfOps(const OpGraph& graph, const std::vector<Match>& matches)
{
    std::vector<std::uint32_t> matchOf(graph.ops.size(), kNoIndex);
    for (std::size_t m = 0; m < matches.size(); ++m) {
        for (const OpIndex op : matches[m].ops)
            matchOf[op] = static_cast<std::uint32_t>(m);
    }
    return matchOf;
}

Vertex vertexOf(const OpGraph& graph, std::vector<OpIndex> ops, const FusionPattern* pattern)
{
    Vertex vertex;
    vertex.ops = std::move(ops);
    vertex.pattern = pattern;
    vertex.traits = graph.ops[vertex.primary()].traits;
    vertex.isOutput = graph.ops[vertex.last()].kind == OpKind::Output;
    return vertex;
}

void addVerticesInPlace(FusedGraph& fused, const OpGraph& graph, const std::vector<FusionPattern>& patterns,
    const std::vector<Match>& matches)
{
    const auto matchOf = matchOfOps(graph, matches);
    fused.vertexOfOp.assign(graph.ops.size(), kNoIndex);
    for (OpIndex op = 0; op < graph.ops.size(); ++op) {
        if (!graph.isInference(op) || fused.vertexOfOp[op] != kNoIndex)
            continue;
        const bool isFused = matchOf[op] != kNoIndex && matches[matchOf[op]].ops.size() > 1;
        fused.vertices.push_back(isFused
                ? vertexOf(graph, matches[matchOf[op]].ops, &patterns[matches[matchOf[op]].pattern])
                : vertexOf(graph, {op}, nullptr));
        for (const OpIndex member : fused.vertices.back().ops)
            fused.vertexOfOp[member] = static_cast<VertexIndex>(fused.vertices.size() - 1);
    }
}

void addInputsInPlace(FusedGraph& fused, const OpGraph& graph)
{
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        for (const EdgeIndex e : graph.ops[fused.vertices[v].primary()].in) {
            const OpEdge& edge = graph.edges[e];
            const VertexIndex from = fused.vertexOfOp[edge.from];
            if (fused.vertices[from].last() != edge.from)
                continue; // read from inside a match: patterns leave none but to keep it safe
            const auto input = static_cast<InputIndex>(fused.inputs.size());
            fused.inputs.push_back({from, v, e, edge.port, !edge.isFloat});
            fused.vertices[v].in.push_back(input);
            fused.vertices[from].out.push_back(input);
        }
    }
}

/// A vertex has one place behind it for all its outputs: if one of them is read as integers, none is quantized there.
void spreadIntegersInPlace(FusedGraph& fused)
{
    for (Vertex& vertex : fused.vertices) {
        vertex.hasIntegerOutput = std::any_of(
            vertex.out.begin(), vertex.out.end(), [&](InputIndex input) { return fused.inputs[input].isInteger; });
    }
}

} // namespace

FusedGraph fuse(const OpGraph& graph, const std::vector<FusionPattern>& patterns, const std::vector<Match>& matches)
{
    FusedGraph fused;
    addVerticesInPlace(fused, graph, patterns, matches);
    addInputsInPlace(fused, graph);
    spreadIntegersInPlace(fused);
    return fused;
}

} // namespace duo
