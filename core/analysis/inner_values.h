// SPDX-License-Identifier: Apache-2.0
// Inner values of two models: how far those are apart that both compute under one name.
#pragma once

#include "core/analysis/measure_pairs.h"

#include <cstdint>
#include <string>
#include <vector>

namespace duo {

struct InnerValue {
    std::string name;
    PairError error;
};

/// Values of one model that wait for those of the other, in all.
inline constexpr std::int64_t kBytesWaiting = std::int64_t{24} << 20;

/// In A's node order, over all samples. Both models run at the same time, and values are looked at where the engine
/// computes them; what the other model has not computed yet waits for it, in about `mostBytes` (ValueMeeting). Where
/// the engine cannot, values are fetched, which is slower. Two threads a sample.
/// @return EngineFailed, Unsupported, BadData, Cancelled
Result<std::vector<InnerValue>> measureInnerValues(
    const Model& a, const Model& b, const Dataset& dataset, std::int64_t mostBytes, int threads, const JobContext& job);

} // namespace duo
