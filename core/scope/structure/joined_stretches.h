// SPDX-License-Identifier: Apache-2.0
// JoinedStretch: what lies between a fork and its join, where it comes again elsewhere.
#pragma once

#include "core/scope/structure/wiring.h"

#include <cstdint>
#include <vector>

namespace duo {

/// Units [begin, end).
struct JoinedStretch {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool operator==(const JoinedStretch&) const = default;
};

/// From the first reader of a value over the second to where all that they make comes together: a residual block from
/// its fork to its Add. Only those that occur twice or more and hold weights; nested or apart,
/// sorted by begin, the outer ones first. O(units log units + uses).
/// @param units blocks that cover the sequence
/// @param hasWeights [units]
std::vector<JoinedStretch> joinedStretches(
    const WorkSequence& sequence, const std::vector<Block>& units, const std::vector<bool>& hasWeights, Wiring& wiring);

} // namespace duo
