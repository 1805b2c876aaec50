// SPDX-License-Identifier: Apache-2.0
// Float scope: which vertices stay in float, and why (resources/docs/quantization.md, "What stays in float by itself").
#pragma once

#include "core/quantize/operators/fusion.h"
#include "core/quantize/points/decision.h"
#include "core/rules/match.h"

#include <map>
#include <memory>
#include <vector>

namespace duo {

enum class FloatCause : std::uint8_t { None, Rules, Pattern, TransformerType, PostProcessing, Extreme, FrontEnd };

struct FloatScope {
    std::vector<FloatCause> causes; // [vertices]
    std::shared_ptr<const std::vector<const FusionPattern*>> patterns; // [ops] the ignored one it belongs to, or null
    std::shared_ptr<const std::map<VertexIndex, DecisionReason>> reasons; // of extremes and front ends
};

/// The vertices that stay in float whatever the rules say: those whose first operator an ignored pattern holds, types
/// ignored in transformers, everything between the last weighted operators and outputs on paths with TopK or
/// NonMaxSuppression, and (NNCF does not) what reads or gives extremes, and fixed transforms in front of the network.
/// `patterns` are the ignored ones; quantizers of the file hide none of them. O(patterns * operators + edges).
FloatScope presetFloatScope(const Model& model, const OpGraph& graph, const FusedGraph& fused,
    const std::vector<FusionPattern>& patterns, const Target& target);

/// And those whose first operator the rules exclude, without front ends that a precision rule takes in. O(vertices),
/// more where NNCF's search runs again.
FloatScope withRules(FloatScope scope, const Model& model, const OpGraph& graph, const FusedGraph& fused,
    const RuleHits& hits, const Target& target);

/// Makes the ignored vertices stop all quantizers.
void applyFloatScopeInPlace(FusedGraph& fused, const FloatScope& scope);

} // namespace duo
