// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/propagate/branching.h"

#include <algorithm>
#include <unordered_set>

namespace duo {

Branching::Branching(const FusedGraph& graph, bool likeNncf)
    : m_graph(graph)
    , m_reachesOutput(graph.vertices.size(), false)
    , m_firstComputing(graph.vertices.size())
    , m_seenAt(graph.vertices.size(), 0)
    , m_unifies(graph.vertices.size())
{
    for (VertexIndex v = 0; v < graph.vertices.size(); ++v) {
        if (graph.vertices[v].isOutput)
            findOutputBranchesAbove(v, likeNncf);
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

std::span<const VertexIndex> Branching::firstComputing(VertexIndex vertex)
{
    Found& known = m_firstComputing[vertex];
    if (known.first != kNoIndex)
        return std::span<const VertexIndex>(m_found).subspan(known.first, known.count);
    known.first = static_cast<std::uint32_t>(m_found.size());
    ++m_round;
    m_stack.assign(1, vertex);
    while (!m_stack.empty()) {
        const VertexIndex current = m_stack.back();
        m_stack.pop_back();
        for (const InputIndex input : m_graph.vertices[current].out) {
            const VertexIndex reader = m_graph.inputs[input].to;
            if (m_seenAt[reader] == m_round)
                continue;
            m_seenAt[reader] = m_round;
            if (m_graph.vertices[reader].traits.trait == Trait::Agnostic)
                m_stack.push_back(reader);
            else
                m_found.push_back(reader);
        }
    }
    known.count = static_cast<std::uint32_t>(m_found.size()) - known.first;
    std::sort(m_found.begin() + static_cast<std::ptrdiff_t>(known.first), m_found.end());
    return std::span<const VertexIndex>(m_found).subspan(known.first, known.count);
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
