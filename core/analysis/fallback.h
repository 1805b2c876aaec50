// SPDX-License-Identifier: Apache-2.0
// Fallback: why ONNX Runtime's CPU provider computes a node in float although quantizers stand around it. The table was
// measured on ONNX Runtime 1.32 (resources/docs/runtime.md, "Fusion table") and is checked against it by tests.
#pragma once

#include "core/model/model.h"
#include "core/transform/known_ranks.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace duo {

enum class Fallback : std::uint8_t {
    FloatOperator, // no int8 kernel
    FloatInput, // an input has no DequantizeLinear in front of it
    WideCodes, // 16-bit codes
    SignedCodes, // int8 activations
    ScaledBias, // Gemm with a beta other than 1
    NoQuantizerBehind, // nothing quantizes its result, or somebody else reads it too
    FloatAddition, // its result goes to an addition without a quantizer between
    ClampNotImplied, // the quantizer behind its Relu or Clip holds values beyond the clamp
    FusedActivation, // fused with an activation into a float kernel first
    FloatBias, // fused with the addition of a bias that is not in codes
    FloatClamp, // nothing quantizes what the Relu or Clip behind it gives
    OtherParameters, // it moves data between two scales
    Unknown,
};

/// Stable, for programs: "clamp-not-implied".
std::string_view fallbackName(Fallback fallback);
/// One sentence about the node and what helps.
std::string fallbackText(Fallback fallback, const Node& node);

/// Its two halves, of the fallback of this name: "one of its inputs is not quantized", "quantize what gives the input".
std::string_view fallbackReason(std::string_view name);
std::string_view fallbackRemedy(std::string_view name);

/// The version the table was measured on: "1.32".
std::string_view fallbackTableVersion();

/// What keeps a node of a written model from an int8 kernel, supposing that it has none; reads the quantizers around
/// it. @param ranks of the written model. O(its inputs and the chain of Relu and Clip behind it).
Fallback fallbackOf(const Model& written, const KnownRanks& ranks, NodeId node);

} // namespace duo
