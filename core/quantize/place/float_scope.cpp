// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/place/float_scope.h"

#include <algorithm>

namespace duo {
namespace {

bool isWeighted(const OpGraph& graph, const Vertex& vertex)
{
    constexpr OpRoles kWeighted = role::kLinear | role::kGroupedConv;
    return std::any_of(vertex.ops.begin(), vertex.ops.end(),
        [&](OpIndex op) { return (graph.ops[op].traits.roles & kWeighted) != 0; });
}

/// Everything found walking over `reaches` edges from `starts`, inside `region`.
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

class PostProcessing
{
public:
    PostProcessing(const OpGraph& graph, const FusedGraph& fused)
        : m_graph(graph)
        , m_fused(fused)
    {
    }

    /// [vertices] on a path from a weighted operator or an input to an output, with a marker on the path.
    [[nodiscard]] std::vector<bool> find() const
    {
        const auto up = [this](VertexIndex v, std::vector<VertexIndex>& next) {
            for (const InputIndex input : m_fused.vertices[v].in)
                next.push_back(m_fused.inputs[input].from);
        };
        const auto down = [this](VertexIndex v, std::vector<VertexIndex>& next) {
            for (const InputIndex input : m_fused.vertices[v].out)
                next.push_back(m_fused.inputs[input].to);
        };
        std::vector<VertexIndex> outputs;
        std::vector<bool> isOpen(m_fused.vertices.size());
        for (VertexIndex v = 0; v < m_fused.vertices.size(); ++v) {
            isOpen[v] = !endsPath(v);
            if (m_fused.vertices[v].isOutput)
                outputs.push_back(v);
        }
        const auto region = spread(outputs, isOpen, up);
        std::vector<VertexIndex> markers;
        for (VertexIndex v = 0; v < region.size(); ++v) {
            if (region[v] && m_fused.vertices[v].traits.endsPostProcessing)
                markers.push_back(v);
        }
        auto found = spread(markers, region, up);
        const auto below = spread(markers, region, down);
        for (VertexIndex v = 0; v < found.size(); ++v)
            found[v] = (found[v] || below[v]) && !m_fused.vertices[v].isOutput;
        return found;
    }

private:
    [[nodiscard]] bool endsPath(VertexIndex v) const
    {
        const Vertex& vertex = m_fused.vertices[v];
        return isWeighted(m_graph, vertex) || m_graph.ops[vertex.primary()].kind == OpKind::Input;
    }

    const OpGraph& m_graph;
    const FusedGraph& m_fused;
};

} // namespace

FloatScope findFloatScope(const OpGraph& graph, const FusedGraph& fused, const std::vector<FusionPattern>& patterns,
    const std::vector<Match>& matches, const RuleHits& hits, const QuantizationSettings& settings)
{
    FloatScope scope;
    scope.patterns.assign(graph.ops.size(), nullptr);
    for (const Match& match : matches) {
        for (const OpIndex op : match.ops)
            scope.patterns[op] = &patterns[match.pattern];
    }
    const auto postProcessing = PostProcessing(graph, fused).find();
    scope.causes.assign(fused.vertices.size(), FloatCause::None);
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        const Op& op = graph.ops[fused.vertices[v].primary()];
        const bool isTransformer = settings.modelType == ModelType::Transformer;
        if (op.kind == OpKind::Node && !hits.isCompressible(op.node))
            scope.causes[v] = FloatCause::Rules;
        else if (scope.patterns[fused.vertices[v].primary()] != nullptr)
            scope.causes[v] = FloatCause::Pattern;
        else if (isTransformer && op.traits.ignoredInTransformers)
            scope.causes[v] = FloatCause::TransformerType;
        else if (postProcessing[v])
            scope.causes[v] = FloatCause::PostProcessing;
    }
    return scope;
}

void applyFloatScopeInPlace(FusedGraph& fused, const FloatScope& scope)
{
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        if (scope.causes[v] != FloatCause::None) {
            fused.vertices[v].traits.trait = Trait::NonQuantizable;
            fused.vertices[v].traits.roles &= role::kInput | role::kOutput;
        }
    }
}

} // namespace duo
