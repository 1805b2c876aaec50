// SPDX-License-Identifier: Apache-2.0
// Candidates: which configurations an operator offers, best first (resources/docs/quantization.md, "Configurations").
#pragma once

#include "core/quantize/operators/op_traits.h"
#include "core/quantize/points/quantizer_setup.h"

#include <vector>

namespace duo {

using Candidates = std::vector<QuantizerConfig>;

/// What settings and opset leave of the candidates.
struct CandidateLimits {
    PrecisionOverride activations; // mode is always set
    PrecisionOverride weights;
    bool hasFourBits = false; // an NPU's
    bool perChannelActivations = true;
    bool perChannelProducts = true; // weights of MatMul and Gemm
    bool perTensorOnly = false; // by the opset
    bool isStrict = false; // a sign or narrow range that a table does not list is refused, as NNCF does
};

/// Which weights an operator has, as NNCF's tables tell them apart.
enum class WeightSpace { Convolution, Depthwise, Product, Embedding };

/// The preset, or the profile's own where it is unset; opsets below 13 know per-tensor quantization only.
CandidateLimits candidateLimits(const QuantizationSettings& settings, std::int64_t opset);

/// Those of the settings, then those of every wish of precision rules: what OpTraits::precision points at. Where
/// there are any, bits that nobody chose are eight.
std::vector<CandidateLimits> limitsByPrecision(
    const CandidateLimits& settings, const std::vector<RulePrecision>& wishes);

/// Activation configurations of an operator with quantizable inputs; empty where the limits allow none.
Candidates activationCandidates(ActivationSpace space, const CandidateLimits& limits);

/// Weight configurations; empty where the limits allow none.
Candidates weightCandidates(WeightSpace space, const CandidateLimits& limits);

} // namespace duo
