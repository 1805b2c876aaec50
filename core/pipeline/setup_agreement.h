// SPDX-License-Identifier: Apache-2.0
// Whether quantizers that were taken from a state are those that its recipe makes, as far as the model tells.
#pragma once

#include "core/pipeline/snapshot/compression.h"
#include "core/state/nodes_there.h"

#include <string>
#include <vector>

namespace duo {

/// Quantizers that no recipe of ours made. @param engine that a state names: first the form that they were taken from
bool isOfAnotherTool(const std::string& engine);

/// Points of a setup that the recipe makes nowhere, in another type, or for other nodes, a sentence each.
/// O(points log points).
std::vector<std::string> notMadeBy(const Snapshot& placed, const QuantizerSetup& setup);

/// Points that the recipe makes and the setup has not, a sentence each. @param placed with what stays in float
std::vector<std::string> notInSetup(const Snapshot& placed, const QuantizerSetup& setup);

/// The same, of nodes that a state knows nothing of.
std::vector<std::string> unknownToState(const Snapshot& placed, const NodesThere& nodes, const QuantizerSetup& setup);

/// Groups that only the setup or only the recipe has, a sentence each.
std::vector<std::string> unlikeGroups(const Snapshot& placed, const QuantizerSetup& setup);

/// Activations whose codes are of another type than the recipe gives such a range, a sentence each. O(points).
std::vector<std::string> unlikeCodes(const Snapshot& placed, const Compression& compression);

/// What a compression has of weights, made once more of the weights that it was made of: scales, codes, channels,
/// shifts of biases that come from means. A sentence for each that differs. Reads all weights.
/// @param placed what its setup is of @return BadData for a weight that cannot be quantized; Cancelled
Result<std::vector<std::string>> unlikeWeights(
    const Snapshot& placed, const Compression& compression, int threads, const JobContext& job);

} // namespace duo
