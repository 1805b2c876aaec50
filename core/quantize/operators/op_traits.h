// SPDX-License-Identifier: Apache-2.0
// Operator traits: what quantization may do to each ONNX operator, as one table
// (resources/docs/quantization.md, "Traits of operators"), (resources/docs/runtime.md, "Fusion table").
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/decision.h"
#include "core/quantize/points/profile_rules.h"

#include <cstdint>
#include <string_view>

namespace duo {

/// How a quantizer that moves against the dataflow meets an operator.
enum class Trait : std::uint8_t {
    NonQuantizable, // computes in float: stops quantizers
    Agnostic, // moves data only: quantizers pass
    InputsQuantizable, // starts quantizers at its inputs
    Concat, // passes quantizers to all inputs, or is not quantized at all
    Embedding, // gives its weights directly as output
};

/// Roles an operator can play in a pattern; a node has any number of them.
using OpRoles = std::uint32_t;
namespace role {
inline constexpr OpRoles kNone = 0;
inline constexpr OpRoles kLinear = 1U << 0; // the LINEAR of NNCF's patterns: no grouped convolution but depthwise
inline constexpr OpRoles kGroupedConv = 1U << 1; // grouped, not depthwise: outside NNCF's patterns
inline constexpr OpRoles kPlainConv = 1U << 2; // group 1
inline constexpr OpRoles kMatMul = 1U << 3; // MatMul or Gemm
inline constexpr OpRoles kPlainMatMul = 1U << 4; // MatMul
inline constexpr OpRoles kAdd = 1U << 5;
inline constexpr OpRoles kSub = 1U << 6;
inline constexpr OpRoles kMul = 1U << 7;
inline constexpr OpRoles kDiv = 1U << 8;
inline constexpr OpRoles kBatchNorm = 1U << 9;
inline constexpr OpRoles kRelu = 1U << 10; // Relu and Clip
inline constexpr OpRoles kSigmoid = 1U << 11;
inline constexpr OpRoles kHardSigmoid = 1U << 12;
inline constexpr OpRoles kActivation = 1U << 13; // any single-node activation, the three above included
inline constexpr OpRoles kErf = 1U << 14;
inline constexpr OpRoles kReduceMean = 1U << 15;
inline constexpr OpRoles kGlobalAveragePool = 1U << 16;
inline constexpr OpRoles kPow = 1U << 17;
inline constexpr OpRoles kSqrt = 1U << 18;
inline constexpr OpRoles kSqueeze = 1U << 19;
inline constexpr OpRoles kSoftmax = 1U << 20;
inline constexpr OpRoles kReshape = 1U << 21;
inline constexpr OpRoles kAttentionBranch = 1U << 22; // what may feed the second input of attention's last product
inline constexpr OpRoles kTranspose = 1U << 23;
inline constexpr OpRoles kConcat = 1U << 24;
inline constexpr OpRoles kCos = 1U << 25;
inline constexpr OpRoles kSin = 1U << 26;
inline constexpr OpRoles kInput = 1U << 27; // an input of the model
inline constexpr OpRoles kOutput = 1U << 28; // an output of the model
inline constexpr OpRoles kElementwise = 1U << 29; // loses a lone quantizer beside a constant operand
inline constexpr OpRoles kUnifies = 1U << 30; // below a Concat: its inputs want one scale
inline constexpr OpRoles kUnifiesOnNpu = 1U << 31; // all its inputs have one scale on an NPU
} // namespace role

/// Which configurations an operator offers for its inputs (resources/docs/quantization.md, "Configurations").
enum class ActivationSpace : std::uint8_t {
    None,
    Wide, // 8 and 16 bits
    Narrow, // 8 and 16 bits, and 4 on an NPU
    WidePerChannel, // 8 and 16 bits, per channel first
    EightBit,
    SymmetricOnly,
    Preset, // what the preset says, on any device
    Fixed, // 8 bits symmetric, whatever the settings say
};

struct OpTraits {
    Trait trait = Trait::NonQuantizable;
    OpRoles roles = role::kNone;
    ActivationSpace space = ActivationSpace::None;
    bool isKnown = false; // in the table
    bool endsPostProcessing = false; // TopK, NonMaxSuppression
    bool ignoredInTransformers = false;
    bool isShape = false;
    bool limitsPorts = false; // only ports 0 and 1 are quantized (Attention)
    std::uint32_t precision = 0; // whose wishes hold: 0 the settings', else RuleHits::precisionOf
};

/// Traits of a node for a target.
OpTraits opTraits(const Model& model, const Node& node, const Target& target);

/// Why the target's engine computes this operator in float although NNCF would quantize it; None if it does not.
ReasonCode floatOnlyReason(const Node& node, const Target& target);

} // namespace duo
