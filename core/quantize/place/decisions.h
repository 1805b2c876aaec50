// SPDX-License-Identifier: Apache-2.0
// Decisions: the state of every node and the reason for it, in one sentence.
#pragma once

#include "core/quantize/place/float_scope.h"
#include "core/quantize/placement.h"
#include "core/quantize/propagate/propagation_state.h"

#include <string>
#include <vector>

namespace duo {

/// Everything a decision is told from.
struct DecisionFacts {
    const Model& model;
    const OpGraph& graph;
    const FusedGraph& fused;
    const FloatScope& floatScope;
    const RuleHits& hits;
    const QuantizationSettings& settings;
    const QuantizerSetup& setup;
    const std::vector<std::string>& floatReasons; // [nodes] of the profile, "" where it has none
};

/// [Model::nodes]. O(nodes + edges).
std::vector<Decision> decide(const DecisionFacts& facts);

} // namespace duo
