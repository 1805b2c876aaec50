// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/fusion.h"

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

class Fuser
{
public:
    explicit Fuser(const OpGraph& graph)
        : m_graph(graph)
        , m_lists(std::make_shared<std::vector<std::uint32_t>>())
    {
        m_lists->reserve(graph.ops.size() + 2 * graph.edges.size()); // spans into it stay valid
        m_fused.vertexOfOp.assign(graph.ops.size(), kNoIndex);
    }

    void addVertices(const std::vector<FusionPattern>& patterns, const std::vector<Match>& matches)
    {
        const auto matchOf = matchOfOps(m_graph, matches);
        for (OpIndex op = 0; op < m_graph.ops.size(); ++op) {
            if (!m_graph.isInference(op) || m_fused.vertexOfOp[op] != kNoIndex)
                continue;
            const bool isFused = matchOf[op] != kNoIndex && matches[matchOf[op]].ops.size() > 1;
            if (isFused)
                addVertex(matches[matchOf[op]].ops, &patterns[matches[matchOf[op]].pattern]);
            else
                addVertex({&op, 1}, nullptr);
        }
    }

    void addInputs()
    {
        auto& vertices = m_fused.vertices;
        std::vector<std::size_t> readers(vertices.size(), 0);
        for (VertexIndex v = 0; v < vertices.size(); ++v) {
            const std::size_t first = m_lists->size();
            for (const EdgeIndex e : m_graph.ops[vertices[v].primary()].in) {
                const OpEdge& edge = m_graph.edges[e];
                const VertexIndex from = m_fused.vertexOfOp[edge.from];
                if (vertices[from].last() != edge.from)
                    continue; // read from inside a match: patterns leave none but to keep it safe
                m_lists->push_back(static_cast<InputIndex>(m_fused.inputs.size()));
                m_fused.inputs.push_back({from, v, e, edge.port, !edge.isFloat});
                ++readers[from];
            }
            vertices[v].in = listFrom(first);
        }
        addReaders(readers);
    }

    FusedGraph take()
    {
        m_fused.lists = std::move(m_lists);
        return std::move(m_fused);
    }

    /// A vertex has one place behind it for all its outputs: if one of them is read as integers, none is quantized
    /// there. What a body is given is quantized where it is read.
    void spreadIntegers()
    {
        for (Vertex& vertex : m_fused.vertices) {
            const Op& op = m_graph.ops[vertex.primary()];
            vertex.hasIntegerOutput = op.kind == OpKind::Input && op.isBorder();
        }
        for (const FusedInput& input : m_fused.inputs) {
            if (input.isInteger)
                m_fused.vertices[input.from].hasIntegerOutput = true;
        }
    }

private:
    void addVertex(std::span<const OpIndex> ops, const FusionPattern* pattern)
    {
        const std::size_t first = m_lists->size();
        m_lists->insert(m_lists->end(), ops.begin(), ops.end());
        Vertex vertex;
        vertex.ops = listFrom(first);
        vertex.pattern = pattern;
        vertex.traits = m_graph.ops[vertex.primary()].traits;
        vertex.isOutput = m_graph.ops[vertex.last()].kind == OpKind::Output;
        for (const OpIndex member : ops)
            m_fused.vertexOfOp[member] = static_cast<VertexIndex>(m_fused.vertices.size());
        m_fused.vertices.push_back(vertex);
    }

    /// @param counts [vertices] inputs that read each
    void addReaders(const std::vector<std::size_t>& counts)
    {
        auto& vertices = m_fused.vertices;
        std::vector<std::size_t> next(vertices.size());
        for (VertexIndex v = 0; v < vertices.size(); ++v) {
            next[v] = m_lists->size();
            m_lists->resize(m_lists->size() + counts[v]);
            vertices[v].out = listFrom(next[v]);
        }
        for (InputIndex input = 0; input < m_fused.inputs.size(); ++input)
            (*m_lists)[next[m_fused.inputs[input].from]++] = input;
    }

    [[nodiscard]] std::span<const std::uint32_t> listFrom(std::size_t first) const
    {
        return std::span<const std::uint32_t>(*m_lists).subspan(first);
    }

    const OpGraph& m_graph;
    std::shared_ptr<std::vector<std::uint32_t>> m_lists;
    FusedGraph m_fused;
};

} // namespace

FusedGraph fuse(const OpGraph& graph, const std::vector<FusionPattern>& patterns, const std::vector<Match>& matches)
{
    Fuser fuser(graph);
    fuser.addVertices(patterns, matches);
    fuser.addInputs();
    fuser.spreadIntegers();
    return fuser.take();
}

} // namespace duo
