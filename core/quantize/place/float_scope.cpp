// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/place/float_scope.h"

#include "core/quantize/place/post_processing.h"

namespace duo {
FloatScope findFloatScope(const Model& model, const OpGraph& graph, const FusedGraph& fused,
    const std::vector<FusionPattern>& patterns, const std::vector<Match>& matches, const RuleHits& hits,
    const QuantizationSettings& settings)
{
    FloatScope scope;
    scope.patterns.assign(graph.ops.size(), nullptr);
    for (const Match& match : matches) {
        for (const OpIndex op : match.ops)
            scope.patterns[op] = &patterns[match.pattern];
    }
    const auto postProcessing = settings.nncfCompatible ? findPostProcessingLikeNncf(model, graph, fused)
                                                        : findPostProcessing(model, graph, fused);
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
