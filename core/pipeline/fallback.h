// SPDX-License-Identifier: Apache-2.0
// fallBack: rules are added one after the other until a measure of the quantized model reaches a bound.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"

#include <functional>
#include <string>
#include <vector>

namespace duo {

/// Rules that keep one group in float.
struct FallbackCandidate {
    std::string name; // of the group
    std::vector<Rule> rules;
};

/// What the model quantized under a snapshot is worth: more is better.
using FallbackMeasure = std::function<Result<double>(const Snapshot&)>;

struct FallbackStep {
    std::string name;
    double measured = 0; // with this group and those added before it in float
};

struct FallenBack {
    Snapshot snapshot; // with the rules of what is kept
    std::vector<FallbackStep> kept;
    std::size_t tried = 0; // candidates measured
    double before = 0; // as it was
    double measured = 0; // of `snapshot`
    bool holds = false; // measured >= bound
};

/// Keeps candidates in float in their order until the bound holds; one that makes it worse is left out again,
/// and one that gained less than a tenth of what was missing, where the bound holds without it.
/// @param before the measure of `snapshot`
/// @return errors of `measure`; Cancelled
Result<FallenBack> fallBack(const Snapshot& snapshot, double before, const std::vector<FallbackCandidate>& candidates,
    double bound, const FallbackMeasure& measure, const JobContext& job);

} // namespace duo
