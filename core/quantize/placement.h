// SPDX-License-Identifier: Apache-2.0
// Placement: from model, rules and settings to quantizers and a decision with its reason for every node. Needs no data.
#pragma once

#include "core/model/model.h"
#include "core/quantize/quantizer_setup.h"
#include "core/quantize/settings.h"
#include "core/rules/match.h"
#include "core/support/shared_array.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

enum class NodeState { Quantized, Ignored, IgnoredInherited, Preset, Unsupported, Blocked, Fused, WeightOnly };

std::string_view nodeStateText(NodeState state); // "ignored-inherited"

/// What a decision rests on; stable, for programs.
enum class ReasonKind {
    Inputs, // its inputs are quantized
    Weights, // only its weights are
    Movement, // it moves quantized data
    Group, // it is computed together with another node
    Table, // its table is quantized
    FileQuantizer, // the file quantizes it already
    Rule, // an ignore rule catches it
    NoTarget, // no target rule catches it
    Pattern, // it belongs to a pattern that stays in float
    ModelType, // its type stays in float in such models
    PostProcessing, // it lies behind a TopK or NonMaxSuppression
    FrontEnd, // it belongs to a fixed transform in front of the network
    Range, // its values have no range that codes can hold
    Operator, // its operator computes in float
    Profile, // the runtime has no int8 kernel here, or would gain nothing
    Type, // its values are not float32
    Constant, // it does not depend on any input
    Shape, // it computes a shape
    Body, // it is inside a control-flow body
    Call, // it is a call of a local function, or inside one
    Neighbour, // nothing around it wants quantized data
};

std::string_view reasonKindText(ReasonKind kind); // "post-processing"

/// What happens to a node, and why, in one sentence.
struct Decision {
    NodeState state = NodeState::Unsupported;
    std::string reason;
    ReasonKind kind = ReasonKind::Operator;
    std::string counterfactual{}; // "it would be quantized if ..."; "" where nothing the user can do changes it
    NodeId fusedWith = {}; // the node it is computed together with, whose rules decide; invalid if its own do
    NodeId about = {}; // besides that one the only node that the sentences name; invalid where they name none
    bool namesRule = false; // the reason names the rule that ignores the node
    bool operator==(const Decision&) const = default;
};

/// Copies share what is equal in both.
using Decisions = SharedArray<Decision>;

struct DecisionTrace;

struct Placement {
    QuantizerSetup setup;
    Decisions decisions; // [Model::nodes]
    std::vector<Note> notes; // opset, half precision, already quantized parts
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
/// @return Unsupported for opsets below 10, and for models that name none
Result<Placement> placeQuantizers(const Model& model, const RuleHits& hits, const QuantizationSettings& settings);
/// The same for a model prepared under its settings.
/// @param previous a placement under other rules, whose decisions are taken over where they rest on the same; or null
Result<Placement> placeQuantizers(
    const Model& model, const PlacementBase& base, const RuleHits& hits, const Placement* previous = nullptr);

} // namespace duo
