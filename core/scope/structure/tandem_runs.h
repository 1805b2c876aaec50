// SPDX-License-Identifier: Apache-2.0
// TandemRun: where a sequence repeats itself at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace duo {

/// [begin, end) has the smallest period `period`, at least two of them, and can be made no longer.
struct TandemRun {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t period = 0;
    auto operator<=>(const TandemRun&) const = default;
};

/// All maximal runs of a sequence, sorted; fewer than it has letters (Bannai et al., "The runs theorem", 2017).
/// O(n log n).
std::vector<TandemRun> tandemRuns(std::span<const std::uint32_t> letters);

} // namespace duo
