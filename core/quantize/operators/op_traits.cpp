// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/op_traits.h"

#include "core/quantize/operators/constant_path.h"
#include "core/quantize/profiles/profile_rules.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

using namespace role;
using S = ActivationSpace;
constexpr Trait kFloat = Trait::NonQuantizable;
constexpr Trait kMoves = Trait::Agnostic;
constexpr Trait kInputs = Trait::InputsQuantizable;

/// What ONNX Runtime's CPU provider does with the operator between DequantizeLinear and QuantizeLinear.
enum class Cpu : std::uint8_t {
    AsNncf,
    Float, // no int8 kernel, or pure overhead
};

struct Row {
    std::string_view opType;
    Trait trait;
    OpRoles roles;
    ActivationSpace space;
    Cpu cpu;
    bool transformerIgnores;
};

/// Sorted by operator type. Operators not listed are not quantizable.
constexpr std::array kRows{
    Row{"Abs", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"Add", kInputs, kAdd | kElementwise | kUnifiesOnNpu, S::Narrow, Cpu::AsNncf, true},
    Row{"And", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, Cpu::Float, false},
    Row{"Attention", kInputs, kUnifies, S::SymmetricOnly, Cpu::Float, false},
    Row{"AveragePool", kInputs, kNone, S::Wide, Cpu::AsNncf, true},
    Row{"BatchNormalization", kInputs, kBatchNorm, S::Preset, Cpu::Float, true},
    Row{"Cast", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"CastLike", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"CenterCropPad", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"Clip", kFloat, kRelu | kActivation, S::None, Cpu::AsNncf, false},
    Row{"Concat", Trait::Concat, kConcat | kAttentionBranch, S::None, Cpu::AsNncf, false},
    Row{"Constant", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"ConstantOfShape", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"Conv", kInputs, kNone, S::Narrow, Cpu::AsNncf, false}, // roles depend on the group
    Row{"ConvTranspose", kInputs, kLinear | kUnifies, S::Narrow, Cpu::Float, false},
    Row{"Cos", kFloat, kCos, S::None, Cpu::AsNncf, false},
    Row{"DeformConv", kInputs, kLinear, S::Preset, Cpu::Float, false},
    Row{"DepthToSpace", kMoves, kNone, S::None, Cpu::AsNncf, false},
    Row{"DequantizeLinear", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"Div", kInputs, kDiv | kElementwise | kUnifiesOnNpu, S::Wide, Cpu::Float, true},
    Row{"Dropout", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"Elu", kFloat, kActivation, S::None, Cpu::AsNncf, false},
    Row{"Equal", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, Cpu::Float, true},
    Row{"Erf", kFloat, kErf, S::None, Cpu::AsNncf, false},
    Row{"Exp", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"Expand", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"Flatten", kMoves, kNone, S::None, Cpu::AsNncf, false},
    Row{"Floor", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"Gather", kMoves, kAttentionBranch, S::None, Cpu::AsNncf, false},
    Row{"GatherElements", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"GatherND", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"Gemm", kInputs, kLinear | kMatMul | kUnifies, S::Narrow, Cpu::AsNncf, false},
    Row{"GlobalAveragePool", kInputs, kGlobalAveragePool, S::Wide, Cpu::AsNncf, true},
    Row{"GlobalMaxPool", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"Greater", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, Cpu::Float, true},
    Row{"GreaterOrEqual", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, Cpu::Float, false},
    Row{"HardSigmoid", kInputs, kHardSigmoid | kActivation, S::Preset, Cpu::Float, false},
    Row{"HardSwish", kFloat, kActivation, S::None, Cpu::AsNncf, false},
    Row{"Identity", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"LeakyRelu", kFloat, kActivation, S::None, Cpu::AsNncf, false},
    Row{"Less", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, Cpu::Float, true},
    Row{"LessOrEqual", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, Cpu::Float, false},
    Row{"Log", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"MatMul", kInputs, kLinear | kMatMul | kPlainMatMul | kUnifies, S::Narrow, Cpu::AsNncf, false},
    Row{"Max", kInputs, kElementwise | kUnifiesOnNpu, S::Narrow, Cpu::Float, true},
    Row{"MaxPool", kMoves, kNone, S::None, Cpu::AsNncf, false},
    Row{"Mean", kFloat, kElementwise, S::None, Cpu::AsNncf, false},
    Row{"Min", kInputs, kElementwise | kUnifiesOnNpu, S::Narrow, Cpu::Float, false},
    Row{"Mod", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, Cpu::Float, false},
    Row{"Mul", kInputs, kMul | kElementwise | kUnifiesOnNpu, S::Narrow, Cpu::AsNncf, true},
    Row{"NonMaxSuppression", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"NonZero", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"Not", kInputs, kElementwise, S::Wide, Cpu::Float, false},
    Row{"Or", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, Cpu::Float, false},
    Row{"PRelu", kFloat, kActivation, S::None, Cpu::AsNncf, false},
    Row{"Pad", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"Pow", kInputs, kPow, S::Wide, Cpu::Float, true},
    Row{"QuantizeLinear", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"Reciprocal", kInputs, kNone, S::Wide, Cpu::Float, true},
    Row{"ReduceL2", kFloat, kNone, S::None, Cpu::AsNncf, true}, // NNCF never registers it, so it is unknown there
    Row{"ReduceMax", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"ReduceMean", kInputs, kReduceMean, S::Wide, Cpu::Float, true},
    Row{"ReduceMin", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"ReduceSum", kInputs, kNone, S::Wide, Cpu::Float, true},
    Row{"Relu", kFloat, kRelu | kActivation, S::None, Cpu::AsNncf, false},
    Row{"Reshape", kMoves, kReshape | kAttentionBranch, S::None, Cpu::AsNncf, false},
    Row{"Resize", kInputs, kNone, S::EightBit, Cpu::Float, false},
    Row{"RoiAlign", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"Scatter", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"ScatterElements", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"ScatterND", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"Selu", kFloat, kActivation, S::None, Cpu::AsNncf, false},
    Row{"Shape", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"Sigmoid", kFloat, kSigmoid | kActivation, S::None, Cpu::AsNncf, false},
    Row{"Sin", kFloat, kSin, S::None, Cpu::AsNncf, false},
    Row{"Slice", kMoves, kNone, S::None, Cpu::AsNncf, false},
    Row{"Softmax", kFloat, kSoftmax, S::None, Cpu::AsNncf, false},
    Row{"SpaceToDepth", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"Split", kMoves, kAttentionBranch, S::None, Cpu::AsNncf, false},
    Row{"Sqrt", kInputs, kSqrt, S::Wide, Cpu::Float, true},
    Row{"Squeeze", kMoves, kSqueeze | kAttentionBranch, S::None, Cpu::AsNncf, true},
    Row{"Sub", kInputs, kSub | kElementwise | kUnifiesOnNpu, S::Narrow, Cpu::Float, true},
    Row{"Sum", kInputs, kAdd | kElementwise | kUnifiesOnNpu, S::Narrow, Cpu::Float, true},
    Row{"ThresholdedRelu", kFloat, kActivation, S::None, Cpu::AsNncf, false},
    Row{"Tile", kMoves, kNone, S::None, Cpu::Float, false},
    Row{"TopK", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"Transpose", kMoves, kTranspose | kAttentionBranch, S::None, Cpu::AsNncf, false},
    Row{"Unsqueeze", kMoves, kNone, S::None, Cpu::AsNncf, false},
    Row{"Upsample", kFloat, kNone, S::None, Cpu::AsNncf, false},
    Row{"Xor", kInputs, kElementwise | kUnifiesOnNpu, S::Wide, Cpu::Float, false},
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

bool runsOnOrtCpu(const QuantizationSettings& settings)
{
    return profileRules(settings.profile).usesOrtCpuKernels && !settings.nncfCompatible;
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
    if (node.opType != "Gather" || node.inputs.empty() || !node.inputs[0].valid())
        return false;
    const Tensor* table = model.constant(constantBehind(model, node.inputs[0]).value);
    return table != nullptr && table->type == ElementType::Float32;
}

/// Resize by repeating elements changes no value: ONNX Runtime runs it on int8.
bool isNearestResize(const Node& node)
{
    if (node.opType != "Resize")
        return false;
    const Attribute* mode = node.attribute("mode");
    if (mode == nullptr)
        return true; // the default of the operator
    const auto* text = std::get_if<std::string>(&mode->value);
    return text != nullptr && *text == "nearest";
}

} // namespace

OpTraits opTraits(const Model& model, const Node& node, const QuantizationSettings& settings)
{
    OpTraits traits;
    const Row* row = isOnnxDomain(node) ? findRow(node.opType) : nullptr;
    const ProfileRules& rules = profileRules(settings.profile);
    if (!settings.nncfCompatible && isOnnxDomain(node) && !node.isCall && isAlsoQuantized(rules, node.opType)) {
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
    const TargetDevice device = effectiveDevice(settings);
    const bool multiplies = (row->roles & kMul) != 0 && device == TargetDevice::CpuSpr;
    traits.ignoredInTransformers = row->transformerIgnores && !multiplies;
    if (row->space == S::EightBit && (device == TargetDevice::Gpu || device == TargetDevice::Npu))
        traits.space = S::Fixed; // Resize, which these devices list without configurations
    traits.isShape = node.opType == "Shape";
    traits.endsPostProcessing = node.opType == "TopK" || node.opType == "NonMaxSuppression";
    traits.limitsPorts = node.opType == "Attention";
    if (node.opType == "Conv")
        describeConvInPlace(traits, model, node, !settings.nncfCompatible);
    if (isEmbedding(model, node)) {
        traits.trait = Trait::Embedding;
        traits.roles = kNone;
    }
    if (usesNncfTables(settings))
        return traits;
    const bool startsQuantizers = traits.trait == Trait::InputsQuantizable || traits.trait == Trait::Embedding;
    if (isNearestResize(node))
        traits.trait = Trait::Agnostic;
    else if (runsOnOrtCpu(settings) && row->cpu == Cpu::Float)
        traits.trait = Trait::NonQuantizable;
    else if (startsQuantizers && isLeftInFloat(rules, node.opType))
        traits.trait = Trait::NonQuantizable;
    return traits;
}

std::string_view floatOnlyReason(const Node& node, const QuantizationSettings& settings)
{
    const Row* row = isOnnxDomain(node) ? findRow(node.opType) : nullptr;
    if (row == nullptr || usesNncfTables(settings) || isNearestResize(node))
        return {};
    if (row->trait == Trait::InputsQuantizable && isLeftInFloat(profileRules(settings.profile), node.opType))
        return "TensorRT fuses it better in float than between quantizers";
    if (row->cpu != Cpu::Float || !runsOnOrtCpu(settings))
        return {};
    if (row->trait == Trait::Agnostic)
        return "it runs in float on ONNX Runtime's CPU provider, so quantizers stay below it";
    return "it has no int8 kernel on ONNX Runtime's CPU provider, quantizing it would only cost time";
}

bool hasQLinearKernel(std::string_view opType)
{
    static constexpr std::array kTypes{std::string_view("Add"), std::string_view("AveragePool"),
        std::string_view("Concat"), std::string_view("GlobalAveragePool"), std::string_view("LeakyRelu"),
        std::string_view("Mul"), std::string_view("Sigmoid"), std::string_view("Softmax"), std::string_view("Where")};
    return std::find(kTypes.begin(), kTypes.end(), opType) != kTypes.end();
}

} // namespace duo
