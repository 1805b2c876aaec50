// SPDX-License-Identifier: Apache-2.0
// JSON forms of range estimators: NNCF's fields, or the name of a set; and where they hold for some nodes only.
#pragma once

#include "core/quantize/points/settings.h"
#include "core/support/result.h"

#include <nlohmann/json.hpp>

namespace duo {

/// `"MEAN_MINMAX"` or {"min": {"statistics_type", "aggregator_type", "clipping_value", "quantile_outlier_prob"},
/// "max"}.
/// @param at path of `json`; @return InvalidRule, `where` being the path of the key
Result<RangeEstimatorParameters> rangeEstimatorFromJson(const nlohmann::ordered_json& json, const std::string& at);

nlohmann::ordered_json rangeEstimatorJson(const RangeEstimatorParameters& parameters);

/// [{"kind", "value", "activations_range_estimator_params"}]: what a rule of that kind and value catches.
Result<std::vector<EstimatorRule>> estimatorRulesFromJson(const nlohmann::ordered_json& json, const std::string& at);

nlohmann::ordered_json estimatorRulesJson(const std::vector<EstimatorRule>& rules);

} // namespace duo
