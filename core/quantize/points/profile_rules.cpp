// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/profile_rules.h"

#include "core/support/one_of.h"

#include <array>

namespace duo {
namespace {

using Text = std::string_view;

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

} // namespace

const ProfileRules& profileRules(Profile profile)
{
    return kRules[static_cast<std::size_t>(profile)];
}

Target targetOf(const QuantizationSettings& settings)
{
    const ProfileRules& rules = profileRules(settings.profile);
    Target target{settings.nncfCompatible ? kNncf : rules.takes};
    target.profile = profileText(settings.profile);
    target.likeNncf = settings.nncfCompatible;
    target.takesNncfTables = usesNncfTables(settings);
    target.runsOnOrtCpu = rules.usesOrtCpuKernels;
    target.perChannelActivations = target.likeNncf; // otherwise such a quantizer gets one scale
    target.isTransformer = isTransformer(settings);
    target.device = effectiveDevice(settings);
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
