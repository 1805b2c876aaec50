// SPDX-License-Identifier: Apache-2.0
// ProfileRules: what a runtime wants of a quantized model, a row each (resources/docs/runtime.md, "Profiles").
#pragma once

#include "core/quantize/parameters.h"
#include "core/quantize/settings.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace duo {

enum class BiasForm : std::uint8_t {
    Int32, // int32 with scale input scale * weight scale, behind a DequantizeLinear
    Float, // as it is
};

/// Where quantizers go besides the inputs of operators that want them.
enum class OutputQuantizers : std::uint8_t {
    Kernels, // behind what has an int8 kernel that writes int8
    None,
    All, // behind every operator and on inputs and outputs of the model
};

/// What an addition behind a convolution gets.
enum class ResidualRule : std::uint8_t {
    AllOperands,
    SkipOnly, // the other operand only: convolution, addition and activation become one kernel
};

struct ProfileRules {
    Profile profile = Profile::OrtCpu;
    std::string_view name;
    QuantizationMode activations = QuantizationMode::Asymmetric; // where nothing else is asked for
    bool takesAsymmetric = true; // false: zero points must be 0
    bool takesWide = true; // 16 bits
    ActivationCodes codes = ActivationCodes::UInt8;
    BiasForm bias = BiasForm::Int32;
    OutputQuantizers outputs = OutputQuantizers::Kernels;
    ResidualRule residual = ResidualRule::AllOperands;
    bool unifiesConcatInputs = false; // one scale for all inputs of a Concat
    bool perChannelProducts = true; // weights of MatMul and Gemm
    bool perChannelActivations = false; // where the setup says so; otherwise such a quantizer gets one scale
    bool quantizesBodies = false; // of If, Loop and Scan; others are not known to fuse there, or have no control flow
    bool usesOrtCpuKernels = false; // ignored nodes need barriers, and the probe tells what runs
    std::span<const std::string_view> onlyTypes{}; // operators that start quantizers; empty: all the tables list
    std::span<const std::string_view> alsoTypes{}; // operators that do although NNCF's table says they do not
};

const ProfileRules& profileRules(Profile profile);
/// The same with NNCF's codes and forms where the settings ask for them: signed where a value is negative, scales per
/// channel in front of depthwise convolutions, biases as they are (resources/docs/runtime.md, "Profiles").
ProfileRules formRules(const QuantizationSettings& settings);

/// Whether nodes in bodies of If, Loop and Scan are quantized like any others. NNCF leaves them as they are.
bool quantizesBodies(const QuantizationSettings& settings);

/// Whether operators of a type start quantizers beyond what NNCF's table says.
bool isAlsoQuantized(const ProfileRules& rules, std::string_view opType);
/// Whether the profile leaves operators of a type, which NNCF quantizes, in float.
bool isLeftInFloat(const ProfileRules& rules, std::string_view opType);

} // namespace duo
