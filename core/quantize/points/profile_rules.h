// SPDX-License-Identifier: Apache-2.0
// Target: what settings and the profile of a runtime want of a quantized model (resources/docs/runtime.md, "Profiles").
#pragma once

#include "core/quantize/points/parameters.h"
#include "core/quantize/points/settings.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace duo {

enum class BiasForm : std::uint8_t {
    Int32, // int32 with scale input scale * weight scale, behind a DequantizeLinear
    Float, // as it is
};

/// Which quantized models a runtime takes, whatever asks for one.
struct TakenForm {
    bool takesAsymmetric = true; // false: zero points must be 0
    bool takesWide = true; // 16 bits
    ActivationCodes codes = ActivationCodes::UInt8;
    BiasForm bias = BiasForm::Int32;
    bool unifiesConcatInputs = false; // one scale for all inputs of a Concat
    bool perChannelProducts = true; // weights of MatMul and Gemm
    bool quantizesBodies = false; // of If, Loop and Scan; others are not known to fuse there, or have no control flow
    std::span<const std::string_view> onlyTypes{}; // operators that start quantizers; empty: all the tables list
    std::span<const std::string_view> alsoTypes{}; // operators that do although NNCF's table says they do not
};

/// What settings mean for the stages, resolved once: profile, nncf_compatible, preset, model type and device are not
/// asked for apart, nor half of a condition. The form is the profile's, or NNCF's.
struct Target : TakenForm {
    std::string_view profile = {}; // its name
    bool likeNncf = false; // placement, types and ranges are NNCF's, whatever the profile
    bool takesNncfTables = false; // operators count as NNCF lists them: like NNCF, and with profile openvino
    bool placesForOrtCpu = false; // quantizers go where ONNX Runtime's CPU provider finds its int8 kernels
    bool runsOnOrtCpu = false; // the file is for that provider, wherever its quantizers are
    bool quantizesEveryTensor = false; // behind every operator and on inputs and outputs of the model
    bool addsSkipsOnly = false; // an addition behind a convolution gets a quantizer on its other operand only
    bool perChannelActivations = false; // where the setup says so, as in front of NNCF's depthwise convolutions
    bool isTransformer = false;
    TargetDevice device = TargetDevice::Any; // whose of NNCF's tables hold
    QuantizationMode activations = QuantizationMode::Asymmetric; // of activations that no rule is about
    OverflowFix overflowFix = OverflowFix::Disable;
};

Target targetOf(const QuantizationSettings& settings);

/// Whether operators of a type start quantizers beyond what NNCF's table says.
bool isAlsoQuantized(const Target& target, std::string_view opType);
/// Whether operators of a type, which NNCF quantizes, are left in float.
bool isLeftInFloat(const Target& target, std::string_view opType);

} // namespace duo
