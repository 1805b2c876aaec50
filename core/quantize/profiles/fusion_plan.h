// SPDX-License-Identifier: Apache-2.0
// FusionPlan: which operators of a model the target of some settings computes as one, and what must stay in float.
#pragma once

#include "core/quantize/operators/pattern_match.h"

#include <vector>

namespace duo {

struct FusionPlan {
    std::vector<FusionPattern> fusing;
    std::vector<Match> matches; // of `fusing`
    std::vector<FusionPattern> ignored; // what must stay in float for accuracy
};

/// NNCF's patterns; for qnn, with quantizers on every other tensor, only what its execution provider computes as one
/// if no quantizer lies inside: a GELU made of Erf, which QNN has no operator for (microsoft/onnxruntime#26417,
/// onnxruntime/onnxruntime-qnn#309), a MatMul with the addition of its bias (microsoft/onnxruntime#22494), and a Conv
/// with the batch norm that the export folds into it. O(patterns * operators).
FusionPlan fusionPlan(const Model& model, const OpGraph& graph, const Target& target);

} // namespace duo
