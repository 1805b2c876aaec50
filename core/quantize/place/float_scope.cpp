// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/place/float_scope.h"

#include "core/quantize/place/post_processing.h"

namespace duo {

FloatScope presetFloatScope(const Model& model, const OpGraph& graph, const FusedGraph& fused,
    const std::vector<FusionPattern>& patterns, const std::vector<Match>& matches, const QuantizationSettings& settings)
{
    FloatScope scope;
    std::vector<const FusionPattern*> patternOf(graph.ops.size(), nullptr);
    for (const Match& match : matches) {
        for (const OpIndex op : match.ops)
            patternOf[op] = &patterns[match.pattern];
    }
    const auto postProcessing = settings.nncfCompatible ? findPostProcessingLikeNncf(model, graph, fused)
                                                        : findPostProcessing(model, graph, fused);
    const bool isTransformer = settings.modelType == ModelType::Transformer;
    scope.causes.assign(fused.vertices.size(), FloatCause::None);
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        const OpIndex primary = fused.vertices[v].primary();
        if (patternOf[primary] != nullptr)
            scope.causes[v] = FloatCause::Pattern;
        else if (isTransformer && graph.ops[primary].traits.ignoredInTransformers)
            scope.causes[v] = FloatCause::TransformerType;
        else if (postProcessing[v])
            scope.causes[v] = FloatCause::PostProcessing;
    }
    scope.patterns = std::make_shared<const std::vector<const FusionPattern*>>(std::move(patternOf));
    return scope;
}

FloatScope withRules(FloatScope scope, const OpGraph& graph, const FusedGraph& fused, const RuleHits& hits)
{
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        const Op& op = graph.ops[fused.vertices[v].primary()];
        if (op.kind == OpKind::Node && !hits.isCompressible(op.node))
            scope.causes[v] = FloatCause::Rules;
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
