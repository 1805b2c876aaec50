// SPDX-License-Identifier: Apache-2.0
// DecisionTrace: all that decisions rest on and rules can change, so that after an edit only those are told again that
// rest on something else now.
#pragma once

#include "core/quantize/operators/float_scope.h"
#include "core/quantize/placement.h"
#include "core/quantize/points/decision_terms.h"
#include "core/quantize/read_bits.h"

#include <memory>
#include <vector>

namespace duo {

/// Where values are quantized, seen from the operators.
struct QuantizedPlaces {
    enum Kind : std::uint8_t { None, Activation, Weight };
    std::vector<std::uint8_t> inputs; // [input ports of all nodes] Kind; by a point of its own or behind the producer
    std::vector<std::uint8_t> results; // [nodes] 1 where the first output is quantized for everybody
    std::vector<ReadBits> bits; // as readBits
};

/// @param joinsInFloat ONNX Runtime's CPU provider: what joins or takes apart has codes behind it only where a
/// quantizer gives them
QuantizedPlaces quantizedPlaces(
    const Model& model, const OpGraph& graph, const QuantizerSetup& setup, bool joinsInFloat);

/// Whether what moves data has codes behind it where it reads some. @param joinsInFloat as for quantizedPlaces
bool handsCodesOn(const OpGraph& graph, const QuantizedPlaces& places, NodeId mover, bool joinsInFloat);

struct DecisionTrace {
    std::shared_ptr<const PlacementBase> base; // traces are compared under one base only
    std::vector<FloatCause> causes; // [vertices]
    std::vector<DecisionReason> floatReasons; // [nodes] of the profile, None where it has none
    QuantizedPlaces places;
    std::shared_ptr<const DecisionTerms> terms;
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
