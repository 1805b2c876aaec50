// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/op_traits.h"

#include "core/model/op_facts.h"
#include "core/quantize/operators/constant_path.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

using namespace role;
using S = ActivationSpace;
constexpr Trait kFloat = Trait::NonQuantizable;
constexpr Trait kMoves = Trait::Agnostic;
constexpr Trait kInputs = Trait::InputsQuantizable;

struct Row {
    std::string_view opType;
    Trait trait;
    OpRoles roles;
    ActivationSpace space;
    bool transformerIgnores;
    bool isKnownToNncf = true;
};

/// Sorted by operator type. Operators not listed are not quantizable.
constexpr std::array kRows{
    Row{"Abs", kFloat, kNone, S::None, false},
    Row{"Add", kInputs, kAdd | kElementwise | kUnifiesOnNpu, S::Narrow, true},
    Row{"And", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, false},
    Row{"Attention", kInputs, kUnifies, S::SymmetricOnly, false},
    Row{"AveragePool", kInputs, kNone, S::Wide, true},
    Row{"BatchNormalization", kInputs, kBatchNorm, S::Preset, true},
    Row{"Cast", kFloat, kNone, S::None, false},
    Row{"CastLike", kMoves, kNone, S::None, false},
    Row{"CenterCropPad", kMoves, kNone, S::None, false},
    Row{"Clip", kFloat, kRelu | kActivation, S::None, false},
    Row{"Concat", Trait::Concat, kConcat | kAttentionBranch, S::None, false},
    Row{"Constant", kFloat, kNone, S::None, false},
    Row{"ConstantOfShape", kFloat, kNone, S::None, false},
    Row{"Conv", kInputs, kNone, S::Narrow, false}, // roles depend on the group
    Row{"ConvTranspose", kInputs, kLinear | kUnifies, S::Narrow, false},
    Row{"Cos", kFloat, kCos, S::None, false},
    Row{"DeformConv", kInputs, kLinear, S::Preset, false},
    Row{"DepthToSpace", kMoves, kNone, S::None, false},
    Row{"DequantizeLinear", kFloat, kNone, S::None, false},
    Row{"Div", kInputs, kDiv | kElementwise | kUnifiesOnNpu, S::Wide, true},
    Row{"Dropout", kMoves, kNone, S::None, false},
    Row{"Einsum", kInputs, kNone, S::Narrow, false, false}, // for a runtime with kernels for it (qnn)
    Row{"Elu", kFloat, kActivation, S::None, false},
    Row{"Equal", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, true},
    Row{"Erf", kFloat, kErf, S::None, false},
    Row{"Exp", kFloat, kNone, S::None, false},
    Row{"Expand", kMoves, kNone, S::None, false},
    Row{"Flatten", kMoves, kNone, S::None, false},
    Row{"Floor", kFloat, kNone, S::None, false},
    Row{"Gather", kMoves, kAttentionBranch, S::None, false},
    Row{"GatherElements", kMoves, kNone, S::None, false},
    Row{"GatherND", kMoves, kNone, S::None, false},
    Row{"Gemm", kInputs, kLinear | kMatMul | kUnifies, S::Narrow, false},
    Row{"GlobalAveragePool", kInputs, kGlobalAveragePool, S::Wide, true},
    Row{"GlobalMaxPool", kMoves, kNone, S::None, false},
    Row{"Greater", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, true},
    Row{"GreaterOrEqual", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, false},
    Row{"HardSigmoid", kInputs, kHardSigmoid | kActivation, S::Preset, false},
    Row{"HardSwish", kFloat, kActivation, S::None, false},
    Row{"Identity", kMoves, kNone, S::None, false},
    Row{"LeakyRelu", kFloat, kActivation, S::None, false},
    Row{"Less", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, true},
    Row{"LessOrEqual", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, false},
    Row{"Log", kFloat, kNone, S::None, false},
    Row{"MatMul", kInputs, kLinear | kMatMul | kPlainMatMul | kUnifies, S::Narrow, false},
    Row{"Max", kInputs, kElementwise | kUnifiesOnNpu, S::Narrow, true},
    Row{"MaxPool", kMoves, kNone, S::None, false},
    Row{"Mean", kFloat, kElementwise, S::None, false},
    Row{"Min", kInputs, kElementwise | kUnifiesOnNpu, S::Narrow, false},
    Row{"Mod", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, false},
    Row{"Mul", kInputs, kMul | kElementwise | kUnifiesOnNpu, S::Narrow, true},
    Row{"NonMaxSuppression", kFloat, kNone, S::None, false},
    Row{"NonZero", kFloat, kNone, S::None, false},
    Row{"Not", kInputs, kElementwise, S::Wide, false},
    Row{"Or", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, false},
    Row{"PRelu", kFloat, kActivation, S::None, false},
    Row{"Pad", kMoves, kNone, S::None, false},
    Row{"Pow", kInputs, kPow, S::Wide, true},
    Row{"QuantizeLinear", kFloat, kNone, S::None, false},
    Row{"Reciprocal", kInputs, kNone, S::Wide, true},
    Row{"ReduceL2", kFloat, kNone, S::None, true}, // NNCF never registers it, so it is unknown there
    Row{"ReduceMax", kMoves, kNone, S::None, false},
    Row{"ReduceMean", kInputs, kReduceMean, S::Wide, true},
    Row{"ReduceMin", kFloat, kNone, S::None, false},
    Row{"ReduceSum", kInputs, kNone, S::Wide, true},
    Row{"Relu", kFloat, kRelu | kActivation, S::None, false},
    Row{"Reshape", kMoves, kReshape | kAttentionBranch, S::None, false},
    Row{"Resize", kInputs, kNone, S::EightBit, false},
    Row{"RoiAlign", kFloat, kNone, S::None, false},
    Row{"Scatter", kMoves, kNone, S::None, false},
    Row{"ScatterElements", kMoves, kNone, S::None, false},
    Row{"ScatterND", kMoves, kNone, S::None, false},
    Row{"Selu", kFloat, kActivation, S::None, false},
    Row{"Shape", kFloat, kNone, S::None, false},
    Row{"Sigmoid", kFloat, kSigmoid | kActivation, S::None, false},
    Row{"Sin", kFloat, kSin, S::None, false},
    Row{"Slice", kMoves, kNone, S::None, false},
    Row{"Softmax", kFloat, kSoftmax, S::None, false},
    Row{"SpaceToDepth", kMoves, kNone, S::None, false},
    Row{"Split", kMoves, kAttentionBranch, S::None, false},
    Row{"Sqrt", kInputs, kSqrt, S::Wide, true},
    Row{"Squeeze", kMoves, kSqueeze | kAttentionBranch, S::None, true},
    Row{"Sub", kInputs, kSub | kElementwise | kUnifiesOnNpu, S::Narrow, true},
    Row{"Sum", kInputs, kAdd | kElementwise | kUnifiesOnNpu, S::Narrow, true},
    Row{"ThresholdedRelu", kFloat, kActivation, S::None, false},
    Row{"Tile", kMoves, kNone, S::None, false},
    Row{"TopK", kFloat, kNone, S::None, false},
    Row{"Transpose", kMoves, kTranspose | kAttentionBranch, S::None, false},
    Row{"Unsqueeze", kMoves, kNone, S::None, false},
    Row{"Upsample", kFloat, kNone, S::None, false},
    Row{"Xor", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, false},
};
static_assert(
    std::is_sorted(kRows.begin(), kRows.end(), [](const Row& a, const Row& b) { return a.opType < b.opType; }));

const Row* findRow(std::string_view opType)
{
    const auto* row = std::lower_bound(
        kRows.begin(), kRows.end(), opType, [](const Row& a, std::string_view key) { return a.opType < key; });
    return row != kRows.end() && row->opType == opType ? row : nullptr;
}

bool isOnnxDomain(const Node& node)
{
    return node.domain.empty() || node.domain == "ai.onnx";
}

/// An Einsum that is no product of matrices computes in float anywhere, and NNCF knows none.
bool isQuantizable(const Row& row, const Node& node, const Target& target)
{
    return row.isKnownToNncf || (!target.takesNncfTables && isFloatProduct(node));
}

/// What the table would quantize, or move quantizers past, though ONNX Runtime's CPU provider has no int8 kernel for
/// it.
bool isFloatOnOrtCpu(const Row& row)
{
    const Int8Kernel kernel = opFacts(row.opType).int8;
    return row.trait != Trait::NonQuantizable
        && (kernel == Int8Kernel::NotKnown || kernel == Int8Kernel::None || kernel == Int8Kernel::MovesNearest);
}

/// A convolution whose weight has one input channel per group and whole outputs per input channel.
bool isDepthwise(const Model& model, const Node& node, std::int64_t group)
{
    if (node.inputs.size() < 2 || !node.inputs[1].valid())
        return false;
    const Tensor* weight = model.constant(constantBehind(model, node.inputs[1]).value);
    return weight != nullptr && weight->dims.size() >= 2 && weight->dims[1] == 1 && weight->dims[0] % group == 0;
}

void describeConvInPlace(OpTraits& traits, const Model& model, const Node& node, bool fuseGroups)
{
    const std::int64_t group = node.intAttribute("group", 1);
    if (group <= 1) {
        traits.roles = kLinear | kPlainConv | kUnifies;
    } else if (isDepthwise(model, node, group)) {
        traits.roles = kLinear;
        traits.space = ActivationSpace::WidePerChannel;
    } else {
        traits.roles = fuseGroups ? kLinear | kGroupedConv : kGroupedConv;
    }
}

/// Gather of rows of a constant float table.
bool isEmbedding(const Model& model, const Node& node)
{
    if (!has(node, mark::kTable) || node.inputs.empty() || !node.inputs[0].valid())
        return false;
    const Tensor* table = model.constant(constantBehind(model, node.inputs[0]).value);
    return table != nullptr && table->type == ElementType::Float32;
}

/// Resize by repeating elements changes no value: ONNX Runtime runs it on int8.
bool isNearestResize(const Node& node)
{
    if (opFacts(node).int8 != Int8Kernel::MovesNearest)
        return false;
    const Attribute* mode = node.attribute("mode");
    if (mode == nullptr)
        return true; // the default of the operator
    const auto* text = std::get_if<std::string>(&mode->value);
    return text != nullptr && *text == "nearest";
}

} // namespace

OpTraits opTraits(const Model& model, const Node& node, const Target& target)
{
    OpTraits traits;
    const Row* row = isOnnxDomain(node) ? findRow(node.opType) : nullptr;
    if (row != nullptr && !isQuantizable(*row, node, target))
        row = nullptr;
    if (isOnnxDomain(node) && !node.isCall && isAlsoQuantized(target, node.opType)) {
        traits.isKnown = true;
        traits.trait = Trait::InputsQuantizable;
        traits.roles = row != nullptr ? row->roles : kNone;
        traits.space = ActivationSpace::Wide;
        return traits;
    }
    if (row == nullptr || node.isCall)
        return traits;
    traits.isKnown = true;
    traits.trait = row->trait;
    traits.roles = row->roles;
    traits.space = row->space;
    const bool multiplies = (row->roles & kMul) != 0 && target.device == TargetDevice::CpuSpr;
    traits.ignoredInTransformers = row->transformerIgnores && !multiplies;
    if (row->space == S::EightBit && (target.device == TargetDevice::Gpu || target.device == TargetDevice::Npu))
        traits.space = S::Fixed; // Resize, which these devices list without configurations
    traits.isShape = node.opType == "Shape";
    traits.endsPostProcessing = node.opType == "TopK" || node.opType == "NonMaxSuppression";
    traits.limitsPorts = node.opType == "Attention";
    if (isProduct(node, Product::Convolution))
        describeConvInPlace(traits, model, node, !target.likeNncf);
    if (isEmbedding(model, node)) {
        traits.trait = Trait::Embedding;
        traits.roles = kNone;
    }
    if (target.takesNncfTables)
        return traits;
    const bool startsQuantizers = traits.trait == Trait::InputsQuantizable || traits.trait == Trait::Embedding;
    if (isNearestResize(node))
        traits.trait = Trait::Agnostic;
    else if (target.placesForOrtCpu && isFloatOnOrtCpu(*row))
        traits.trait = Trait::NonQuantizable;
    else if (startsQuantizers && isLeftInFloat(target, node.opType))
        traits.trait = Trait::NonQuantizable;
    return traits;
}

ReasonCode floatOnlyReason(const Node& node, const Target& target)
{
    const Row* row = isOnnxDomain(node) ? findRow(node.opType) : nullptr;
    if (row == nullptr || !isQuantizable(*row, node, target) || target.takesNncfTables || isNearestResize(node))
        return ReasonCode::None;
    const bool startsQuantizers = row->trait == Trait::InputsQuantizable || has(node, mark::kTable); // an embedding
    if (startsQuantizers && isLeftInFloat(target, node.opType))
        return ReasonCode::TensorRtFuses;
    if (!isFloatOnOrtCpu(*row) || !target.placesForOrtCpu)
        return ReasonCode::None;
    return row->trait == Trait::Agnostic ? ReasonCode::MovesInFloat : ReasonCode::NoInt8Kernel;
}

} // namespace duo
