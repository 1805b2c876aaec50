// SPDX-License-Identifier: Apache-2.0
// Decision: what happens to a node of the model, and why, as values; core/report/decision_sentences.h says it in words.
#pragma once

#include "core/model/element_type.h"
#include "core/support/id.h"
#include "core/support/shared_array.h"

#include <bit>
#include <cstdint>
#include <string_view>

namespace duo {

enum class NodeState : std::uint8_t {
    Quantized,
    Ignored,
    IgnoredInherited,
    Preset,
    Unsupported,
    Blocked,
    Fused,
    WeightOnly,
};

std::string_view nodeStateText(NodeState state); // "ignored-inherited"

/// What a decision rests on; stable, for programs.
enum class ReasonKind : std::uint8_t {
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

/// Why, one code for each sentence. In brackets: what of DecisionReason the sentence names.
enum class ReasonCode : std::uint8_t {
    None, // nothing is said
    // what no quantizer comes to
    NeverRuns, // it is in a body that a constant condition never takes
    Call, // of a local function
    InsideCall, // [about: the call, or a control-flow node inside one]
    InsideBody, // [about: its control-flow node] nothing is quantized in such bodies
    InsideBodyLikeNncf, // [about]
    InsideBodyOfProfile, // [about] the profile quantizes nothing there
    IsFileQuantizer,
    ShapeOnly,
    ConstantOnly,
    // groups
    WithInput, // [value: the input it is computed together with]
    WithNode, // the one it is fused with
    WithKept, // another node, which stays in float after all
    // what stays in float by itself, and by rules
    FloatPattern, // [pattern]
    TransformerType,
    TableHolds, // [value, number: inf or nan]
    WeightHolds, // [value, number]
    Mask, // [about: the reader it is made for, number: the mask]
    FixedSinusoids, // a transform in front of the network
    FixedBands,
    BehindTransform, // [about: the transform]
    BeforeTransform, // a filter of one channel
    PostProcessing,
    CaughtByRule, // by itself
    ScopeCaughtByRule,
    NoTarget,
    // kept in float after all: KeptFloat says more
    KeptWithoutRange,
    KeptUnfused,
    KeptAsRecorded, // in a compression state
    // operators
    BetweenQuantizers,
    TensorRtFuses,
    MovesInFloat, // on ONNX Runtime's CPU provider
    NoInt8Kernel, // there
    BodiesCompute, // a control-flow node computes nothing itself
    BodiesStay,
    FloatOperator,
    // types
    NoData,
    OtherFloatType, // [type]
    UnknownType,
    OtherType, // [type]
    // movement
    MovesCodes,
    MovesUnwanted,
    // what the profile wants
    ReadWide, // its result is read in 16 bits
    OneInputInFloat,
    NotReadInInt8,
    ModelOutput,
    BehindCodes, // of the node it would be computed together with
    LeavesBody, // [about: the body's node]
    InputInFloat, // of what has weights
    UnchangedState, // [about: the loop that never changes what it reads]
    GemmAddsData,
    GemmScalesBias,
    NoConvolutionBefore, // an addition, on TensorRT
    // computation
    InputsAndWeights,
    InputsOnly,
    WeightsOnly,
    ReadsFileCodes,
    ConstantOperand,
    InputsInFloat,
    NoTableOfItsOwn,
    TableAndRows,
    TableOnly,
};

ReasonKind reasonKind(ReasonCode code); // Operator for None
bool namesOperator(ReasonCode code); // of the node itself
bool tellsPrecision(ReasonCode code); // what a rule wants, and in which bits inputs are read

/// What would change a decision, one code for each sentence.
enum class WouldBe : std::uint8_t {
    Nothing, // that the user can do
    ConsideredInMainGraph, // the function's nodes
    ConsideredLikeOrtCpu, // without nncf_compatible
    ConsideredOnOrtCpu,
    ConsideredOnOrtCpuAlone, // and without nncf_compatible
    FloatWithoutFirst, // of its group
    QuantizedWithoutModelType,
    QuantizedIfFinite, // the constant
    QuantizedByPrecisionRule,
    QuantizedOffPostProcessing,
    QuantizedOutsidePattern, // DecisionReason::pattern
    ConsideredIfTargeted,
    ConsideredWithoutRule, // the one that ignores it
    FloatIfNeighbourIgnored,
    QuantizedOnOpenVino,
    QuantizedOnQnn,
    FloatIfIgnored, // and quantizers stay below it
    FloatByRule,
    QuantizedIfReadersAre,
    QuantizedIfNeighboursWere,
    QuantizedIfAroundWere, // what reads or gives its data
    QuantizedIfInputsAre,
    InputsQuantizedInFloat32,
    QuantizedInFloat32,
    QuantizedWithOutputs,
    QuantizedWithRange, // data that give it one
    KeptOtherwise, // KeptFloat says what
};

/// A float that equals itself, as a NaN does too.
struct ExactFloat {
    float value = 0;
    bool operator==(const ExactFloat& other) const
    {
        return std::bit_cast<std::uint32_t>(value) == std::bit_cast<std::uint32_t>(other.value);
    }
};

inline constexpr std::uint16_t kNoPattern = 0xFFFF;

/// A reason with what it names; what its code does not name is left out.
struct DecisionReason {
    ReasonCode code = ReasonCode::None;
    std::uint16_t pattern = kNoPattern; // of DecisionTerms::patterns
    ElementType type = ElementType::Undefined;
    NodeId about = {};
    ValueId value = {};
    ExactFloat number = {};
    bool operator==(const DecisionReason&) const = default;
};

/// What happens to a node, and why. What is named besides the model is in DecisionTerms.
struct Decision {
    NodeState state = NodeState::Unsupported;
    DecisionReason reason = {};
    WouldBe would = WouldBe::Nothing;
    bool isOfGroup = false; // reason and `would` are those of `fusedWith`
    bool isUnmovedByRule = false; // an ignore rule catches it, without effect
    bool runsOnWideCodes = false; // quantized, and computed in float for that
    std::uint16_t group = kNoPattern; // the pattern it is computed in, of DecisionTerms::patterns
    NodeId fusedWith = {}; // the node it is computed together with, whose rules decide; invalid if its own do
    bool operator==(const Decision&) const = default;

    [[nodiscard]] ReasonKind kind() const { return reasonKind(reason.code); }
    /// The reason tells of the rule that ignores the node, or the one it is computed together with.
    [[nodiscard]] bool namesRule() const
    {
        return isUnmovedByRule || reason.code == ReasonCode::CaughtByRule
            || reason.code == ReasonCode::ScopeCaughtByRule;
    }
    /// Whom the reason is about. @param node whose decision this is
    [[nodiscard]] NodeId subject(NodeId node) const { return isOfGroup ? fusedWith : node; }
};

/// Copies share what is equal in both.
using Decisions = SharedArray<Decision>;

} // namespace duo
