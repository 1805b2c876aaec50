// SPDX-License-Identifier: Apache-2.0
#include "core/model/range_estimator.h"

#include "core/support/enum_text.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

constexpr auto kStatistics
    = enumTexts<StatisticsType::Raw>({"max", "min", "abs_max", "quantile", "abs_quantile", "mean", "raw"});
constexpr auto kAggregators = enumTexts<AggregatorType::Entropy>({"mean", "max", "min", "median", "mean_no_outliers",
    "median_no_outliers", "histogram", "moving_average", "percentile", "mse", "entropy"});

using S = StatisticsType;
using A = AggregatorType;

struct NamedSet {
    std::string_view name;
    S min;
    A minAggregator;
    S max;
    A maxAggregator;
};

constexpr std::array kSets{
    NamedSet{"MINMAX", S::Min, A::Min, S::Max, A::Max},
    NamedSet{"MEAN_MINMAX", S::Min, A::Mean, S::Max, A::Mean},
    NamedSet{"MEDIAN_MINMAX", S::Min, A::Median, S::Max, A::Median},
    NamedSet{"MEAN_NO_OUTLIERS_MINMAX", S::Min, A::MeanNoOutliers, S::Max, A::MeanNoOutliers},
    NamedSet{"MEAN_QUANTILE", S::Quantile, A::Mean, S::Quantile, A::Mean},
    NamedSet{"HISTOGRAM", S::Raw, A::Histogram, S::Raw, A::Histogram},
    NamedSet{"MEDIAN_NO_OUTLIERS_MINMAX", S::Min, A::MedianNoOutliers, S::Max, A::MedianNoOutliers},
    NamedSet{"MOVING_AVERAGE_MINMAX", S::Min, A::MovingAverage, S::Max, A::MovingAverage},
    NamedSet{"PERCENTILE", S::Raw, A::Percentile, S::Raw, A::Percentile},
    NamedSet{"MSE", S::Raw, A::Mse, S::Raw, A::Mse},
    NamedSet{"ENTROPY", S::Raw, A::Entropy, S::Raw, A::Entropy},
};

CollectorParameters withDefaults(const CollectorParameters& chosen, const CollectorParameters& fallback)
{
    CollectorParameters complete = chosen;
    if (!complete.statisticsType)
        complete.statisticsType = fallback.statisticsType;
    if (!complete.aggregatorType)
        complete.aggregatorType = fallback.aggregatorType;
    return complete;
}

bool takesAllValues(A aggregator)
{
    return aggregator == A::Histogram || aggregator >= A::Percentile;
}

bool takesBothEnds(A aggregator)
{
    return takesAllValues(aggregator) && aggregator != A::Percentile;
}

} // namespace

std::string_view statisticsTypeText(StatisticsType type)
{
    return enumText(kStatistics, type);
}

std::string_view aggregatorTypeText(AggregatorType type)
{
    return enumText(kAggregators, type);
}

std::optional<StatisticsType> statisticsTypeFromText(std::string_view text)
{
    return enumFromText<StatisticsType>(kStatistics, text);
}

std::optional<AggregatorType> aggregatorTypeFromText(std::string_view text)
{
    return enumFromText<AggregatorType>(kAggregators, text);
}

std::optional<RangeEstimatorParameters> rangeEstimatorSet(std::string_view name)
{
    const auto* const found
        = std::find_if(kSets.begin(), kSets.end(), [&](const auto& set) { return set.name == name; });
    if (found == kSets.end())
        return std::nullopt;
    RangeEstimatorParameters set;
    set.min.statisticsType = found->min;
    set.min.aggregatorType = found->minAggregator;
    set.max.statisticsType = found->max;
    set.max.aggregatorType = found->maxAggregator;
    return set;
}

std::string_view rangeEstimatorSetNames()
{
    return "MINMAX, MEAN_MINMAX, MEDIAN_MINMAX, MEAN_NO_OUTLIERS_MINMAX, MEAN_QUANTILE, HISTOGRAM, "
           "MEDIAN_NO_OUTLIERS_MINMAX, MOVING_AVERAGE_MINMAX, PERCENTILE, MSE, ENTROPY";
}

RangeEstimatorParameters withDefaults(const RangeEstimatorParameters& chosen, const RangeEstimatorParameters& fallback)
{
    return {withDefaults(chosen.min, fallback.min), withDefaults(chosen.max, fallback.max)};
}

std::string_view rangeEstimatorProblem(const RangeEstimatorParameters& complete)
{
    const A low = complete.min.aggregatorType.value_or(A::Min);
    const A high = complete.max.aggregatorType.value_or(A::Max);
    if ((takesBothEnds(low) || takesBothEnds(high)) && low != high)
        return "histogram, mse and entropy choose both ends together: give both sides the same aggregator_type";
    for (const CollectorParameters* side : {&complete.min, &complete.max}) {
        const bool isRaw = side->statisticsType == S::Raw;
        if (isRaw != takesAllValues(side->aggregatorType.value_or(A::Min)))
            return "statistics_type raw goes with histogram, percentile, mse and entropy, and with nothing else";
        if (!(side->quantileOutlierProb >= 0 && side->quantileOutlierProb < 0.5))
            return "quantile_outlier_prob is a share from 0 to below 0.5";
    }
    return {};
}

} // namespace duo
