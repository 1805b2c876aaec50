// SPDX-License-Identifier: Apache-2.0
// Decision: what happens to a node of the model, and why.
#pragma once

#include "core/model/model.h"
#include "core/support/shared_array.h"

#include <string>
#include <string_view>

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

} // namespace duo
