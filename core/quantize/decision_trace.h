// SPDX-License-Identifier: Apache-2.0
// DecisionTrace: all that decisions rest on and rules can change, so that after an edit only those are told again that
// rest on something else now.
#pragma once

#include "core/quantize/operators/float_scope.h"
#include "core/quantize/placement.h"
#include "core/quantize/read_bits.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {

/// Where values are quantized, seen from the operators.
struct QuantizedPlaces {
    enum Kind : std::uint8_t { None, Activation, Weight };
    std::vector<std::uint8_t> inputs; // [input ports of all nodes] Kind; by a point of its own or behind the producer
    std::vector<std::uint8_t> results; // [nodes] 1 where the first output is quantized for everybody
    std::vector<ReadBits> bits; // as readBits
};

QuantizedPlaces quantizedPlaces(const Model& model, const OpGraph& graph, const QuantizerSetup& setup);

/// The part of rule hits that decisions tell of.
struct RulesTold {
    std::vector<std::pair<RuleKind, std::string>> rules; // kind and text
    std::vector<int> ignoredBy; // [nodes]
    std::vector<bool> targeted; // [nodes]
    std::vector<std::string> precisions; // texts of what precision rules want
    std::vector<std::uint32_t> precisionOf; // [nodes] as RuleHits
    [[nodiscard]] std::string_view precisionAt(NodeId node) const; // "" where no rule wants any
};

RulesTold rulesTold(const RuleHits& hits);

struct DecisionTrace {
    std::shared_ptr<const PlacementBase> base; // traces are compared under one base only
    std::vector<FloatCause> causes; // [vertices]
    std::vector<std::string> floatReasons; // [nodes] of the profile, "" where it has none
    QuantizedPlaces places;
    RulesTold rules;
};

/// What has to be decided again.
struct DecisionChanges {
    std::vector<VertexIndex> vertices; // with all their operators
    std::vector<NodeId> nodes; // outside the inference graph
};

/// O(nodes + inputs), a few bytes each.
DecisionChanges changesBetween(
    const DecisionTrace& before, const DecisionTrace& now, const OpGraph& graph, const FusedGraph& fused);

} // namespace duo
