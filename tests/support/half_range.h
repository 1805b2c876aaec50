// SPDX-License-Identifier: Apache-2.0
// kHalfRange: what tests set that compare numbers of int8 models.
#pragma once

#include <string>

namespace duo::test {

/// Weights of seven bits: sums of pairs of products fit 16 bits, so that results are those of any CPU. Without it CPUs
/// that have no VNNI compute other numbers (resources/docs/runtime.md, "Pair saturation").
inline const std::string kHalfRange = R"("overflow_fix": "enable")";

} // namespace duo::test
