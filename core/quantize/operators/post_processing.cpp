// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/post_processing.h"

#include "core/model/op_facts.h"
#include "core/quantize/operators/constant_path.h"
#include "core/quantize/operators/nncf_order.h"

#include <algorithm>
#include <optional>

namespace duo {
namespace {

bool hasWeights(const Model& model, const Op& op)
{
    if (op.kind != OpKind::Node)
        return false;
    const Node& node = model.node(op.node);
    if (op.traits.trait == Trait::Embedding || (isConvolution(node) && op.traits.isKnown))
        return true;
    if (!isProduct(node, Product::Matrix))
        return false;
    const auto isConstant = [&](std::size_t port) {
        return port < node.inputs.size() && constantBehind(model, node.inputs[port]).value.valid();
    };
    return isConstant(0) || isConstant(1);
}

/// [vertices]
std::vector<bool> weightedVertices(const Model& model, const OpGraph& graph, const FusedGraph& fused)
{
    std::vector<bool> weighted(fused.vertices.size());
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        const auto& ops = fused.vertices[v].ops;
        weighted[v] = std::any_of(ops.begin(), ops.end(), [&](OpIndex op) { return hasWeights(model, graph.ops[op]); });
    }
    return weighted;
}

/// Everything found walking over `neighbours` from `starts`, inside `region`.
template <typename Neighbours>
std::vector<bool> spread(std::vector<VertexIndex> starts, const std::vector<bool>& region, const Neighbours& neighbours)
{
    std::vector<bool> reached(region.size(), false);
    while (!starts.empty()) {
        const VertexIndex v = starts.back();
        starts.pop_back();
        if (reached[v] || !region[v])
            continue;
        reached[v] = true;
        neighbours(v, starts);
    }
    return reached;
}

/// NNCF's depth-first search from the outputs over operators and the places between them.
class PathSearch
{
public:
    PathSearch(const OpGraph& graph, const FusedGraph& fused, std::vector<bool> weighted,
        const std::vector<bool>& ignoredBefore)
        : m_graph(graph)
        , m_fused(fused)
        , m_weighted(std::move(weighted))
        , m_ignoredBefore(ignoredBefore)
        , m_isVisited(2 * fused.vertices.size() + fused.inputs.size(), false)
        , m_isIgnored(fused.vertices.size(), false)
    {
    }

    /// Nothing if it does not end in `maxSteps`.
    std::optional<std::vector<bool>> find(std::size_t maxSteps)
    {
        for (const OpIndex op : nncfOperatorOrder(m_graph)) {
            const VertexIndex v = m_fused.vertexOfOp[op];
            if (m_fused.vertices[v].isOutput)
                push(operatorSpot(v), kNoIndex, false);
        }
        for (std::size_t step = 0; !m_stack.empty(); ++step) {
            if (step > maxSteps)
                return std::nullopt;
            const std::uint32_t at = m_stack.back();
            m_stack.pop_back();
            visit(at);
        }
        return std::move(m_isIgnored);
    }

private:
    /// A spot on a path: an operator, the place behind one, or the place at an input.
    struct Entry {
        std::uint32_t spot = 0;
        std::uint32_t below = kNoIndex; // entry the path came from
        bool hasMarker = false; // TopK or NonMaxSuppression on the path
        bool isKept = false; // this and all below are ignored already
    };

    [[nodiscard]] std::uint32_t vertexCount() const { return static_cast<std::uint32_t>(m_fused.vertices.size()); }
    [[nodiscard]] static std::uint32_t operatorSpot(VertexIndex v) { return v; }
    [[nodiscard]] bool isOperator(std::uint32_t spot) const { return spot < vertexCount(); }

    void push(std::uint32_t spot, std::uint32_t below, bool hasMarker)
    {
        m_stack.push_back(static_cast<std::uint32_t>(m_entries.size()));
        m_entries.push_back({spot, below, hasMarker, false});
    }

    void visit(std::uint32_t at)
    {
        const std::uint32_t spot = m_entries[at].spot;
        m_isVisited[spot] = true;
        if (!isOperator(spot)) {
            const std::uint32_t place = spot - vertexCount();
            if (place < vertexCount())
                goUp(at, operatorSpot(place));
            else
                goUp(at, vertexCount() + m_fused.inputs[place - vertexCount()].from);
            return;
        }
        const Vertex& vertex = m_fused.vertices[spot];
        const bool isMarker = vertex.traits.endsPostProcessing && (m_ignoredBefore.empty() || !m_ignoredBefore[spot]);
        m_entries[at].hasMarker = m_entries[at].hasMarker || isMarker;
        if (m_weighted[spot] || m_graph.ops[vertex.primary()].kind == OpKind::Input) {
            if (m_entries[at].hasMarker)
                keepPath(at);
            return;
        }
        for (const InputIndex input : vertex.in)
            goUp(at, 2 * vertexCount() + input);
    }

    void goUp(std::uint32_t at, std::uint32_t spot)
    {
        const bool hasMarker = m_entries[at].hasMarker;
        const bool isIgnored = isOperator(spot) && m_isIgnored[spot];
        if (m_isVisited[spot] && hasMarker && isIgnored)
            keepPath(at);
        else if (!m_isVisited[spot] || hasMarker || isIgnored)
            push(spot, at, hasMarker);
    }

    void keepPath(std::uint32_t at)
    {
        while (at != kNoIndex && !m_entries[at].isKept) {
            Entry& entry = m_entries[at];
            entry.isKept = true;
            if (isOperator(entry.spot) && !m_weighted[entry.spot] && !m_fused.vertices[entry.spot].isOutput)
                m_isIgnored[entry.spot] = true;
            at = entry.below;
        }
    }

    const OpGraph& m_graph;
    const FusedGraph& m_fused;
    std::vector<bool> m_weighted;
    const std::vector<bool>& m_ignoredBefore;
    std::vector<bool> m_isVisited; // [spots]
    std::vector<bool> m_isIgnored; // [vertices]
    std::vector<Entry> m_entries;
    std::vector<std::uint32_t> m_stack; // of entries
};

bool hasMarkers(const FusedGraph& fused)
{
    return std::any_of(fused.vertices.begin(), fused.vertices.end(),
        [](const Vertex& vertex) { return vertex.traits.endsPostProcessing; });
}

} // namespace

std::vector<bool> findPostProcessing(const Model& model, const OpGraph& graph, const FusedGraph& fused)
{
    if (!hasMarkers(fused))
        return std::vector<bool>(fused.vertices.size(), false);
    const auto up = [&](VertexIndex v, std::vector<VertexIndex>& next) {
        for (const InputIndex input : fused.vertices[v].in)
            next.push_back(fused.inputs[input].from);
    };
    const auto down = [&](VertexIndex v, std::vector<VertexIndex>& next) {
        for (const InputIndex input : fused.vertices[v].out)
            next.push_back(fused.inputs[input].to);
    };
    const auto weighted = weightedVertices(model, graph, fused);
    std::vector<VertexIndex> outputs;
    std::vector<bool> isOpen(fused.vertices.size());
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        isOpen[v] = !weighted[v] && graph.ops[fused.vertices[v].primary()].kind != OpKind::Input;
        if (fused.vertices[v].isOutput)
            outputs.push_back(v);
    }
    const auto region = spread(outputs, isOpen, up);
    std::vector<VertexIndex> markers;
    for (VertexIndex v = 0; v < region.size(); ++v) {
        if (region[v] && fused.vertices[v].traits.endsPostProcessing)
            markers.push_back(v);
    }
    auto found = spread(markers, region, up);
    const auto below = spread(markers, region, down);
    for (VertexIndex v = 0; v < found.size(); ++v)
        found[v] = (found[v] || below[v]) && !fused.vertices[v].isOutput;
    return found;
}

std::vector<bool> findPostProcessingLikeNncf(
    const Model& model, const OpGraph& graph, const FusedGraph& fused, const std::vector<bool>& ignoredBefore)
{
    if (!hasMarkers(fused))
        return std::vector<bool>(fused.vertices.size(), false);
    constexpr std::size_t kStepsPerSpot = 100;
    const std::size_t maxSteps = kStepsPerSpot * (2 * fused.vertices.size() + fused.inputs.size() + 1000);
    auto found = PathSearch(graph, fused, weightedVertices(model, graph, fused), ignoredBefore).find(maxSteps);
    return found ? *std::move(found) : findPostProcessing(model, graph, fused);
}

} // namespace duo
