// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/float_scope.h"

#include "core/model/op_facts.h"
#include "core/quantize/operators/extremes.h"
#include "core/quantize/operators/front_end.h"
#include "core/quantize/operators/pattern_match.h"
#include "core/quantize/operators/post_processing.h"
#include "core/quantize/points/profile_rules.h"

#include <algorithm>

namespace duo {

namespace {

/// NNCF takes a TopK or NonMaxSuppression that the user ignores for no sign of post-processing.
void searchAgainInPlace(FloatScope& scope, const Model& model, const OpGraph& graph, const FusedGraph& fused)
{
    std::vector<bool> isIgnored(fused.vertices.size());
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v)
        isIgnored[v] = scope.causes[v] != FloatCause::None && scope.causes[v] != FloatCause::PostProcessing;
    const auto found = findPostProcessingLikeNncf(model, graph, fused, isIgnored);
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        if (!isIgnored[v])
            scope.causes[v] = found[v] ? FloatCause::PostProcessing : FloatCause::None;
    }
}

/// A precision rule says in how many bits the node is wanted.
bool isAskedFor(const RuleHits& hits, NodeId node)
{
    return !hits.precisionOf.empty() && hits.precisionOf[node.index] != 0;
}

/// What NNCF quantizes nevertheless.
void addByContentInPlace(
    FloatScope& scope, const Model& model, const OpGraph& graph, const FusedGraph& fused, const Target& target)
{
    const bool outputsToo = target.quantizesEveryTensor;
    std::map<VertexIndex, DecisionReason> reasons = findExtremes(model, graph, fused, outputsToo);
    for (const auto& [v, reason] : reasons) {
        if (scope.causes[v] == FloatCause::None)
            scope.causes[v] = FloatCause::Extreme;
    }
    for (const auto& [v, reason] : findFrontEnds(model, graph, fused)) {
        if (scope.causes[v] != FloatCause::None)
            continue;
        scope.causes[v] = FloatCause::FrontEnd;
        reasons.emplace(v, reason);
    }
    scope.reasons = std::make_shared<const std::map<VertexIndex, DecisionReason>>(std::move(reasons));
}

/// An export holds quantizers inside of what its recipe kept in float.
std::vector<Match> ignoredMatches(
    const Model& model, const OpGraph& graph, const std::vector<FusionPattern>& patterns, const Target& target)
{
    const bool isSeenThrough = !target.likeNncf && std::ranges::any_of(model.nodes, isQuantizer);
    return findMatches(isSeenThrough ? withoutFileQuantizers(graph, model) : graph, patterns, false);
}

} // namespace

FloatScope presetFloatScope(const Model& model, const OpGraph& graph, const FusedGraph& fused,
    const std::vector<FusionPattern>& patterns, const Target& target)
{
    FloatScope scope;
    std::vector<const FusionPattern*> patternOf(graph.ops.size(), nullptr);
    for (const Match& match : ignoredMatches(model, graph, patterns, target)) {
        for (const OpIndex op : match.ops)
            patternOf[op] = &patterns[match.pattern];
    }
    const auto postProcessing = target.likeNncf ? findPostProcessingLikeNncf(model, graph, fused, {})
                                                : findPostProcessing(model, graph, fused);
    const bool isInTransformer = target.isTransformer;
    scope.causes.assign(fused.vertices.size(), FloatCause::None);
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        const OpIndex primary = fused.vertices[v].primary();
        if (patternOf[primary] != nullptr)
            scope.causes[v] = FloatCause::Pattern;
        else if (isInTransformer && graph.ops[primary].traits.ignoredInTransformers)
            scope.causes[v] = FloatCause::TransformerType;
        else if (postProcessing[v])
            scope.causes[v] = FloatCause::PostProcessing;
    }
    scope.patterns = std::make_shared<const std::vector<const FusionPattern*>>(std::move(patternOf));
    if (!target.likeNncf)
        addByContentInPlace(scope, model, graph, fused, target);
    return scope;
}

FloatScope withRules(FloatScope scope, const Model& model, const OpGraph& graph, const FusedGraph& fused,
    const RuleHits& hits, const Target& target)
{
    bool losesMarker = false;
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        const Op& op = graph.ops[fused.vertices[v].primary()];
        if (op.kind == OpKind::Node && scope.causes[v] == FloatCause::FrontEnd && isAskedFor(hits, op.node))
            scope.causes[v] = FloatCause::None;
        if (op.kind == OpKind::Node && !hits.isCompressible(op.node))
            scope.causes[v] = FloatCause::Rules;
        losesMarker = losesMarker || (op.traits.endsPostProcessing && scope.causes[v] == FloatCause::Rules);
    }
    if (losesMarker && target.likeNncf)
        searchAgainInPlace(scope, model, graph, fused);
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
