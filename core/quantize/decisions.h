// SPDX-License-Identifier: Apache-2.0
// Decisions: the state of every node and the reason for it, as values.
#pragma once

#include "core/quantize/decision_trace.h"
#include "core/quantize/profiles/fusion_plan.h"

namespace duo {

/// Everything a decision is told from.
struct DecisionFacts {
    const Model& model;
    const OpGraph& graph;
    const FusedGraph& fused;
    const FloatScope& floatScope;
    const RuleHits& hits;
    const Target& target;
    const PatternNames& patterns;
    const DecisionTrace& trace;
};

/// [Model::nodes]. O(nodes + edges).
Decisions decide(const DecisionFacts& facts);
/// The same where `known` was decided by `before`, under the same base: only what has changed is told again.
Decisions decideAgain(const DecisionFacts& facts, Decisions known, const DecisionTrace& before);

} // namespace duo
