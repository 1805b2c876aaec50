// SPDX-License-Identifier: Apache-2.0
// One number from one number per sample, as NNCF's aggregators and numpy compute it.
#pragma once

#include "core/model/range_estimator.h"

#include <span>

namespace duo {

/// @param values in sample order, not empty
/// @param outlierShare for the aggregators without outliers: values below this quantile of the samples and above its
/// counterpart are left out
float aggregateOf(std::span<const float> values, AggregatorType aggregator, double outlierShare);

} // namespace duo
