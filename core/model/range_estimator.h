// SPDX-License-Identifier: Apache-2.0
// RangeEstimatorParameters: how the range of a quantizer follows from what was measured; NNCF's fields and names.
#pragma once

#include <optional>
#include <string_view>

namespace duo {

/// What is taken of every sample.
enum class StatisticsType { Max, Min, AbsMax, Quantile, AbsQuantile, Mean, Raw };

/// How the samples' numbers become one. From Histogram on all values of all samples count at once (statistics_type
/// raw); the last four are not NNCF's.
enum class AggregatorType {
    Mean,
    Max,
    Min,
    Median,
    MeanNoOutliers,
    MedianNoOutliers,
    Histogram, // both ends: least squared error, ends moved inwards in steps as NNCF does
    MovingAverage, // in sample order: average + 0.01 (value - average), as ONNX Runtime's MinMax calibrator
    Percentile, // of all values: quantile_outlier_prob below, or above
    Mse, // both ends: least squared error over all ranges
    Entropy, // both ends: least Kullback-Leibler divergence
};

/// One end of a range. NNCF's defaults.
struct CollectorParameters {
    std::optional<StatisticsType> statisticsType;
    std::optional<AggregatorType> aggregatorType;
    std::optional<double> clippingValue; // declared and unused, as in NNCF
    double quantileOutlierProb = 1e-4;
    bool operator==(const CollectorParameters&) const = default;
};

struct RangeEstimatorParameters {
    CollectorParameters min;
    CollectorParameters max;
    bool operator==(const RangeEstimatorParameters&) const = default;
};

std::string_view statisticsTypeText(StatisticsType type); // "abs_max"
std::string_view aggregatorTypeText(AggregatorType type); // "mean_no_outliers"
std::optional<StatisticsType> statisticsTypeFromText(std::string_view text);
std::optional<AggregatorType> aggregatorTypeFromText(std::string_view text);

/// NNCF's named sets (RangeEstimatorParametersSet): MINMAX, MEAN_MINMAX, MEDIAN_MINMAX, MEAN_NO_OUTLIERS_MINMAX,
/// MEAN_QUANTILE, HISTOGRAM; and MEDIAN_NO_OUTLIERS_MINMAX, MOVING_AVERAGE_MINMAX, PERCENTILE, MSE, ENTROPY.
std::optional<RangeEstimatorParameters> rangeEstimatorSet(std::string_view name);

/// All names of sets, separated by ", ".
std::string_view rangeEstimatorSetNames();

/// `chosen` where it says something, else `fallback`, field by field as NNCF does.
RangeEstimatorParameters withDefaults(const RangeEstimatorParameters& chosen, const RangeEstimatorParameters& fallback);

/// What cannot be computed: "" if all can. Histogram, MSE and entropy want both ends alike; they and percentile want
/// statistics_type raw, the others anything else.
std::string_view rangeEstimatorProblem(const RangeEstimatorParameters& complete);

} // namespace duo
