// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/propagate/branching.h"

#include <algorithm>
#include <unordered_set>

namespace duo {

Branching::Branching(const FusedGraph& graph, bool nncfCompatible)
    : m_graph(graph)
    , m_reachesOutput(graph.vertices.size(), false)
    , m_firstComputing(graph.vertices.size())
    , m_unifies(graph.vertices.size())
{
    for (VertexIndex v = 0; v < graph.vertices.size(); ++v) {
        if (graph.vertices[v].isOutput)
            findOutputBranchesAbove(v, nncfCompatible);
    }
}

void Branching::findOutputBranchesAbove(VertexIndex output, bool stopsForGood)
{
    std::vector<VertexIndex> stack{output};
    while (!stack.empty()) {
        const Vertex& vertex = m_graph.vertices[stack.back()];
        stack.pop_back();
        for (auto input = vertex.in.rbegin(); input != vertex.in.rend(); ++input) {
            const VertexIndex from = m_graph.inputs[*input].from;
            if (m_graph.vertices[from].out.size() > 1) {
                m_reachesOutput[from] = true;
                continue;
            }
            const Trait trait = m_graph.vertices[from].traits.trait;
            if (trait == Trait::Agnostic || trait == Trait::Concat)
                stack.push_back(from);
            else if (stopsForGood)
                return;
        }
    }
}

const std::vector<VertexIndex>& Branching::firstComputing(VertexIndex vertex)
{
    auto& known = m_firstComputing[vertex];
    if (known)
        return *known;
    known.emplace();
    std::unordered_set<VertexIndex> seen;
    std::vector<VertexIndex> stack{vertex};
    while (!stack.empty()) {
        const VertexIndex current = stack.back();
        stack.pop_back();
        for (const InputIndex input : m_graph.vertices[current].out) {
            const VertexIndex reader = m_graph.inputs[input].to;
            if (!seen.insert(reader).second)
                continue;
            if (m_graph.vertices[reader].traits.trait == Trait::Agnostic)
                stack.push_back(reader);
            else
                known->push_back(reader);
        }
    }
    std::sort(known->begin(), known->end());
    return *known;
}

bool Branching::unifiesScales(VertexIndex concat)
{
    auto& known = m_unifies[concat];
    if (known)
        return *known;
    known = false;
    std::unordered_set<VertexIndex> seen;
    std::vector<VertexIndex> stack{concat};
    while (!stack.empty() && !*known) {
        const VertexIndex current = stack.back();
        stack.pop_back();
        for (const InputIndex input : m_graph.vertices[current].out) {
            const VertexIndex reader = m_graph.inputs[input].to;
            const OpTraits& traits = m_graph.vertices[reader].traits;
            known = *known || (traits.roles & role::kUnifies) != 0;
            const bool passes = traits.trait == Trait::Agnostic || traits.trait == Trait::Concat;
            if (passes && seen.insert(reader).second)
                stack.push_back(reader);
        }
    }
    return *known;
}

} // namespace duo
