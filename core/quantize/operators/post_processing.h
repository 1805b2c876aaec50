// SPDX-License-Identifier: Apache-2.0
// Post-processing: what lies between the last weighted operators and outputs behind a TopK or NonMaxSuppression
// (resources/docs/quantization.md, "What stays in float by itself").
#pragma once

#include "core/quantize/operators/fusion.h"

#include <vector>

namespace duo {

/// [vertices] on a path from a weighted operator or an input to an output, with a marker on the path; the ends are no
/// part of it. O(vertices + inputs).
std::vector<bool> findPostProcessing(const Model& model, const OpGraph& graph, const FusedGraph& fused);

/// The same as NNCF finds it: its search leaves paths out that it has seen before, depending on the order of outputs
/// and inputs, and takes a marker in `ignoredBefore` (empty: none) for none. Falls back to findPostProcessing where
/// that search would not end in reasonable time.
std::vector<bool> findPostProcessingLikeNncf(
    const Model& model, const OpGraph& graph, const FusedGraph& fused, const std::vector<bool>& ignoredBefore);

} // namespace duo
