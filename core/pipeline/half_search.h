// SPDX-License-Identifier: Apache-2.0
// Which of the nodes that compute in 16 bits have to go back to 32, so that what all of them together do to the outputs
// stays within a bound.
#pragma once

#include "core/support/result.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace duo {

/// Neighbours in the order of nodes.
struct NodeRange {
    std::size_t first = 0;
    std::size_t count = 0;
    double noise = 0; // of the outputs, over their signal, with these alone in 16 bits
};

struct CostlyNodes {
    std::vector<NodeRange> ranges; // to be in 32 bits; in order, apart from each other
    double noise = 0; // that the others leave together
};

/// Noise over signal, in power, of the worst output with these nodes in 16 bits; infinite where one is not finite.
using HalvedNoise = std::function<Result<double>(const std::vector<bool>& isHalf)>;

/// Measures groups of neighbours one at a time, takes back those that cost most per node, and of these looks closer,
/// down to single nodes. Asks up to about a hundred times, once where the bound holds as it is.
/// @param count nodes, in topological order
/// @return an error of `noiseOf`
Result<CostlyNodes> findCostlyNodes(std::size_t count, double most, const HalvedNoise& noiseOf);

} // namespace duo
