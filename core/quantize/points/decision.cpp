// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/decision.h"

#include "core/quantize/points/kept_float.h"
#include "core/support/enum_text.h"

namespace duo {

std::string_view nodeStateText(NodeState state)
{
    static constexpr auto kStates = enumTexts<NodeState::WeightOnly>(
        {"quantized", "ignored", "ignored-inherited", "preset", "unsupported", "blocked", "fused", "weight-only"});
    return enumText(kStates, state);
}

std::string_view reasonKindText(ReasonKind kind)
{
    static constexpr auto kKinds = enumTexts<ReasonKind::Neighbour>({"inputs", "weights", "movement", "group", "table",
        "file-quantizer", "rule", "no-target", "pattern", "model-type", "post-processing", "front-end", "range",
        "operator", "profile", "type", "constant", "shape", "body", "call", "neighbour"});
    return enumText(kKinds, kind);
}

ReasonKind reasonKind(ReasonCode code)
{
    switch (code) {
    case ReasonCode::NeverRuns:
    case ReasonCode::InsideBody:
    case ReasonCode::InsideBodyLikeNncf:
    case ReasonCode::InsideBodyOfProfile:
        return ReasonKind::Body;
    case ReasonCode::Call:
    case ReasonCode::InsideCall:
        return ReasonKind::Call;
    case ReasonCode::IsFileQuantizer:
    case ReasonCode::ReadsFileCodes:
        return ReasonKind::FileQuantizer;
    case ReasonCode::ShapeOnly:
        return ReasonKind::Shape;
    case ReasonCode::ConstantOnly:
        return ReasonKind::Constant;
    case ReasonCode::WithInput:
    case ReasonCode::WithNode:
    case ReasonCode::WithKept:
        return ReasonKind::Group;
    case ReasonCode::FloatPattern:
        return ReasonKind::Pattern;
    case ReasonCode::TransformerType:
        return ReasonKind::ModelType;
    case ReasonCode::TableHolds:
    case ReasonCode::WeightHolds:
    case ReasonCode::Mask:
    case ReasonCode::KeptWithoutRange:
        return ReasonKind::Range;
    case ReasonCode::FixedSinusoids:
    case ReasonCode::FixedBands:
    case ReasonCode::BehindTransform:
    case ReasonCode::BeforeTransform:
        return ReasonKind::FrontEnd;
    case ReasonCode::PostProcessing:
        return ReasonKind::PostProcessing;
    case ReasonCode::CaughtByRule:
    case ReasonCode::ScopeCaughtByRule:
        return ReasonKind::Rule;
    case ReasonCode::NoTarget:
        return ReasonKind::NoTarget;
    case ReasonCode::BetweenQuantizers:
    case ReasonCode::InputsAndWeights:
    case ReasonCode::InputsOnly:
        return ReasonKind::Inputs;
    case ReasonCode::KeptUnfused:
    case ReasonCode::KeptAsRecorded:
    case ReasonCode::TensorRtFuses:
    case ReasonCode::MovesInFloat:
    case ReasonCode::NoInt8Kernel:
    case ReasonCode::ReadWide:
    case ReasonCode::OneInputInFloat:
    case ReasonCode::NotReadInInt8:
    case ReasonCode::ModelOutput:
    case ReasonCode::BehindCodes:
    case ReasonCode::LeavesBody:
    case ReasonCode::InputInFloat:
    case ReasonCode::UnchangedState:
    case ReasonCode::GemmAddsData:
    case ReasonCode::GemmScalesBias:
    case ReasonCode::NoConvolutionBefore:
        return ReasonKind::Profile;
    case ReasonCode::None:
    case ReasonCode::BodiesCompute:
    case ReasonCode::BodiesStay:
    case ReasonCode::FloatOperator:
        return ReasonKind::Operator;
    case ReasonCode::NoData:
    case ReasonCode::OtherFloatType:
    case ReasonCode::UnknownType:
    case ReasonCode::OtherType:
    case ReasonCode::NoTableOfItsOwn:
        return ReasonKind::Type;
    case ReasonCode::MovesCodes:
        return ReasonKind::Movement;
    case ReasonCode::WeightsOnly:
        return ReasonKind::Weights;
    case ReasonCode::TableAndRows:
    case ReasonCode::TableOnly:
        return ReasonKind::Table;
    case ReasonCode::MovesUnwanted:
    case ReasonCode::ConstantOperand:
    case ReasonCode::InputsInFloat:
        return ReasonKind::Neighbour;
    }
    return ReasonKind::Operator;
}

bool namesOperator(ReasonCode code)
{
    return code == ReasonCode::TransformerType || code == ReasonCode::BodiesCompute || code == ReasonCode::BodiesStay
        || code == ReasonCode::FloatOperator;
}

bool tellsPrecision(ReasonCode code)
{
    return code == ReasonCode::InputsAndWeights || code == ReasonCode::InputsOnly;
}

Decision keptDecision(const KeptFloat& kept)
{
    if (std::holds_alternative<RecordedKept>(kept))
        return {NodeState::Preset, {ReasonCode::KeptAsRecorded}, WouldBe::KeptOtherwise};
    if (std::holds_alternative<RanInFloat>(kept))
        return {NodeState::Preset, {ReasonCode::KeptUnfused}, WouldBe::KeptOtherwise};
    return {NodeState::Preset, {ReasonCode::KeptWithoutRange}, WouldBe::QuantizedWithRange};
}

} // namespace duo
