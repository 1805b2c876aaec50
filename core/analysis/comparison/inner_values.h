// SPDX-License-Identifier: Apache-2.0
// Inner values of two models: how far those are apart that both compute under one name.
#pragma once

#include "core/analysis/comparison/measure_pairs.h"

#include <string>
#include <vector>

namespace duo {

struct InnerValue {
    std::string name;
    PairError error;
};

/// In A's node order, over all samples. Values are looked at where the engine computes them; those of A wait for those
/// of B, in as many groups as `mostBytes` asks for, by the sizes they have in the largest sample: each group is one run
/// of both models per sample. Where the engine cannot, values are fetched, which is slower.
/// @return EngineFailed, Unsupported, BadData, Cancelled
Result<std::vector<InnerValue>> measureInnerValues(
    const Model& a, const Model& b, const Dataset& dataset, std::int64_t mostBytes, int threads, const JobContext& job);

} // namespace duo
