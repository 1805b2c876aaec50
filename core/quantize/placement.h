// SPDX-License-Identifier: Apache-2.0
// Placement: from model, rules and settings to quantizers and a decision with its reason for every node. Needs no data.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/decision.h"
#include "core/quantize/points/kept_float.h"
#include "core/quantize/points/quantizer_setup.h"
#include "core/quantize/points/settings.h"
#include "core/rules/match.h"

#include <memory>
#include <vector>

namespace duo {

struct DecisionTerms;
struct DecisionTrace;

struct Placement {
    QuantizerSetup setup;
    Decisions decisions; // [Model::nodes]
    std::vector<Note> notes; // opset, half precision, already quantized parts
    std::shared_ptr<const DecisionTerms> terms; // what the decisions name; null where they come from elsewhere
    std::shared_ptr<const KeptFloats> kept; // nodes that stay in float after all, with their reasons; null: none
    std::shared_ptr<const DecisionTrace> trace; // what the decisions rest on; null where they come from elsewhere
};

/// What no rule changes: operators, what is computed together, patterns that stay in float. An edit of the rules starts
/// from here.
struct PlacementBase;

/// @param notes on the settings, which every placement tells first
/// @return Unsupported for opsets below 10, and for models that name none
Result<std::shared_ptr<const PlacementBase>> preparePlacement(
    const Model& model, const QuantizationSettings& settings, std::vector<Note> notes = {});

/// Quantizer propagation (resources/docs/quantization.md, "Propagation") and the profile's own points.
/// Opset 13 and up per channel; 10 to 12, which only models have that could not be converted, per tensor with a note;
/// linear in nodes for graphs without pathological branching.
/// @param base of the same model
/// @param previous a placement under other rules, whose decisions are taken over where they rest on the same; or null
Result<Placement> placeQuantizers(
    const Model& model, const PlacementBase& base, const RuleHits& hits, const Placement* previous = nullptr);

} // namespace duo
