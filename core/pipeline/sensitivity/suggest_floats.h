// SPDX-License-Identifier: Apache-2.0
// suggestFloats: rule sets that keep the most sensitive groups in float, each measured with the plan it leads to.
#pragma once

#include "core/pipeline/sensitivity/foreseen_speed.h"
#include "core/pipeline/sensitivity/group_errors.h"
#include "core/pipeline/sensitivity/measure_sensitivity.h"

namespace duo {

/// The recipe with more rules; those it has already are not added again.
Recipe withRules(Recipe recipe, const std::vector<Rule>& rules);

/// Each suggestion has one group more than the one before and is no worse; at most eight, and none after three groups
/// in a row that gain nothing. @return as measureSensitivity
Result<std::vector<FloatSuggestion>> suggestFloats(const Snapshot& snapshot, const SensitivityReport& report,
    const Dataset& dataset, const ForeseenSpeed& speed, const Recalibrate& recalibrate, std::int64_t samples,
    int threads, const JobContext& job);

} // namespace duo
