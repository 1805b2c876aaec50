// SPDX-License-Identifier: Apache-2.0
// Foresight: a forecast with the snapshot and the statistics it was made from, or why it says nothing.
#pragma once

#include "core/pipeline/sensitivity/make_forecast.h"

#include <memory>
#include <optional>

namespace duo {

struct Foresight {
    std::shared_ptr<const Snapshot> snapshot; // with what has no range in float
    std::shared_ptr<const StatisticsFile> statistics;
    std::shared_ptr<const Forecast> forecast; // without quantizers and outputs where there is a problem
    std::optional<Error> problem; // a value without a range, or without statistics
    std::shared_ptr<const WeightErrors> weights; // for the next one; may be null
};

/// @param known an earlier one, of any model; may be null. @return Cancelled and nothing else
Result<std::shared_ptr<const Foresight>> foresee(std::shared_ptr<const Snapshot> snapshot,
    std::shared_ptr<const StatisticsFile> statistics, const Foresight* known, int threads, const JobContext& job);

/// The same with another forecast.
std::shared_ptr<const Foresight> withForecast(const Foresight& foresight, Forecast forecast);

/// The same, saying why its error is not known; as it is after Cancelled, which says nothing about it.
std::shared_ptr<const Foresight> withoutErrors(std::shared_ptr<const Foresight> foresight, const Error& why);

} // namespace duo
