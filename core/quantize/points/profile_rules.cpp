// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/profile_rules.h"

#include "core/support/one_of.h"

#include <array>

namespace duo {
namespace {

using Text = std::string_view;

/// Where quantizers go besides the inputs of operators that want them.
enum class OutputQuantizers {
    Kernels, // behind what has an int8 kernel that writes int8
    None,
    All, // behind every operator and on inputs and outputs of the model
};

/// What an addition behind a convolution gets.
enum class ResidualRule {
    AllOperands,
    SkipOnly, // the other operand only: convolution, addition and activation become one kernel
};

/// What a runtime wants of a quantized model.
struct ProfileRules {
    Profile profile = Profile::OrtCpu;
    QuantizationMode activations = QuantizationMode::Asymmetric; // where no preset is asked for
    OutputQuantizers outputs = OutputQuantizers::Kernels;
    ResidualRule residual = ResidualRule::AllOperands;
    bool usesOrtCpuKernels = false; // ignored nodes need barriers, and the probe tells what runs
    TakenForm takes;
};

/// Layers TensorRT has int8 kernels for when their inputs carry quantizers; all else it fuses better in float.
constexpr std::array kTensorRtTypes{Text("Add"), Text("AveragePool"), Text("Conv"), Text("ConvTranspose"), Text("Gemm"),
    Text("GlobalAveragePool"), Text("MatMul")};

/// QNN runs an operator on its accelerator only with quantizers on all its inputs and outputs.
constexpr std::array kQnnTypes{Text("Abs"), Text("Ceil"), Text("Clip"), Text("Cos"), Text("Elu"), Text("Exp"),
    Text("Floor"), Text("Gelu"), Text("GroupNormalization"), Text("HardSwish"), Text("InstanceNormalization"),
    Text("LayerNormalization"), Text("LeakyRelu"), Text("Log"), Text("LogSoftmax"), Text("LpNormalization"),
    Text("Mean"), Text("Neg"), Text("PRelu"), Text("ReduceMin"), Text("Relu"), Text("Round"), Text("Sigmoid"),
    Text("Sign"), Text("Sin"), Text("Softmax"), Text("Tanh"), Text("ThresholdedRelu"), Text("Where")};

constexpr std::array<ProfileRules, kProfileTexts.size()> kRules{{
    {.profile = Profile::OrtCpu,
        .activations = QuantizationMode::Asymmetric, // unsigned inputs have kernels on x64, signed ones do not
        .outputs = OutputQuantizers::Kernels,
        .usesOrtCpuKernels = true,
        .takes = {.codes = ActivationCodes::UInt8,
            .bias = BiasForm::Int32,
            .unifiesConcatInputs = false, // QLinearConcat takes a scale per input
            .quantizesBodies = true}}, // it fuses inside each body as in the main graph
    {.profile = Profile::TensorRt,
        .activations = QuantizationMode::Symmetric,
        .outputs = OutputQuantizers::None,
        .residual = ResidualRule::SkipOnly,
        .takes = {.takesAsymmetric = false,
            .takesWide = false, // its QuantizeLinear knows int8, fp8 and int4
            .codes = ActivationCodes::Int8,
            .bias = BiasForm::Float,
            .unifiesConcatInputs = true,
            .onlyTypes = kTensorRtTypes}},
    {.profile = Profile::OpenVino,
        .activations = QuantizationMode::Symmetric, // NNCF's preset
        .outputs = OutputQuantizers::None,
        .takes = {.codes = ActivationCodes::SignDecides, .bias = BiasForm::Float, .unifiesConcatInputs = true}},
    {.profile = Profile::Qnn,
        .activations = QuantizationMode::Asymmetric,
        .outputs = OutputQuantizers::All,
        .takes = {.codes = ActivationCodes::UInt8,
            .bias = BiasForm::Int32,
            .unifiesConcatInputs = true,
            .perChannelProducts = false,
            .alsoTypes = kQnnTypes}},
}};

static_assert(std::ranges::all_of(kRules,
    [i = std::size_t{0}](const ProfileRules& rules) mutable { return rules.profile == static_cast<Profile>(i++); }));

/// Whatever the profile.
constexpr TakenForm kNncf{.codes = ActivationCodes::SignDecides, .bias = BiasForm::Float, .unifiesConcatInputs = true};

const ProfileRules& profileRules(Profile profile)
{
    return kRules[static_cast<std::size_t>(profile)];
}

/// As NNCF 3 does, GPU and NPU count as CPU while both activations and weights have 8 bits.
TargetDevice deviceOf(const QuantizationSettings& settings)
{
    const bool isOtherDevice = settings.targetDevice == TargetDevice::Gpu || settings.targetDevice == TargetDevice::Npu;
    const bool isEightBit = settings.activations.numBits.value_or(8) == 8 && settings.weights.numBits.value_or(8) == 8;
    return isOtherDevice && isEightBit ? TargetDevice::Cpu : settings.targetDevice;
}

QuantizationMode activationsOf(const QuantizationSettings& settings, const Target& target)
{
    if (settings.preset)
        return *settings.preset == Preset::Mixed ? QuantizationMode::Asymmetric : QuantizationMode::Symmetric;
    if (!target.takesNncfTables)
        return profileRules(settings.profile).activations;
    return target.isTransformer ? QuantizationMode::Asymmetric : QuantizationMode::Symmetric;
}

} // namespace

Target targetOf(const QuantizationSettings& settings)
{
    const ProfileRules& rules = profileRules(settings.profile);
    Target target{settings.nncfCompatible ? kNncf : rules.takes};
    target.profile = profileText(settings.profile);
    target.likeNncf = settings.nncfCompatible;
    target.takesNncfTables = settings.nncfCompatible || settings.profile == Profile::OpenVino;
    target.runsOnOrtCpu = rules.usesOrtCpuKernels;
    target.perChannelActivations = target.likeNncf; // otherwise such a quantizer gets one scale
    target.isTransformer = settings.modelType == ModelType::Transformer;
    target.device = target.takesNncfTables ? deviceOf(settings) : TargetDevice::Any;
    target.activations = settings.activations.mode.value_or(activationsOf(settings, target));
    target.overflowFix
        = settings.overflowFix.value_or(target.likeNncf ? OverflowFix::FirstLayer : OverflowFix::Disable);
    if (target.likeNncf)
        return target;
    target.placesForOrtCpu = rules.usesOrtCpuKernels;
    target.quantizesEveryTensor = rules.outputs == OutputQuantizers::All;
    target.addsSkipsOnly = rules.residual == ResidualRule::SkipOnly;
    return target;
}

bool isAlsoQuantized(const Target& target, std::string_view opType)
{
    return isOneOf(opType, target.alsoTypes);
}

bool isLeftInFloat(const Target& target, std::string_view opType)
{
    return !target.onlyTypes.empty() && !isOneOf(opType, target.onlyTypes);
}

} // namespace duo
