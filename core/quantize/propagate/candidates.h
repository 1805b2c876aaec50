// SPDX-License-Identifier: Apache-2.0
// Candidates: which quantizer configurations an operator offers, best first (reference/nncf.md 2.4).
#pragma once

#include "core/quantize/operators/op_traits.h"
#include "core/quantize/quantizer_setup.h"

#include <vector>

namespace duo {

using Candidates = std::vector<QuantizerConfig>;

/// What settings and opset leave of the candidates.
struct CandidateLimits {
    QuantizationMode activationMode = QuantizationMode::Symmetric;
    QuantizationMode weightMode = QuantizationMode::Symmetric;
    bool perChannelWeights = true;
    bool perChannelActivations = true;
};

/// The preset, or the profile's own where it is unset; opsets below 13 know per-tensor quantization only.
CandidateLimits candidateLimits(const QuantizationSettings& settings, std::int64_t opset);

/// Activation configurations of an operator with quantizable inputs; never empty for such.
Candidates activationCandidates(ActivationSpace space, const CandidateLimits& limits);

/// Weight configurations; `isEmbedding`: the table of a Gather, whose narrow range is free.
Candidates weightCandidates(bool isEmbedding, const CandidateLimits& limits);

} // namespace duo
