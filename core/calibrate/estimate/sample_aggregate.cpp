// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/estimate/sample_aggregate.h"

#include "core/support/linear_quantile.h"

#include <algorithm>
#include <vector>

namespace duo {
namespace {

constexpr double kAveraging = 0.01; // ONNX Runtime's default averaging_constant

float meanOf(std::span<const float> values)
{
    double sum = 0;
    for (const float value : values)
        sum += value;
    return static_cast<float>(sum / static_cast<double>(values.size()));
}

std::vector<float> sortedOf(std::span<const float> values)
{
    std::vector<float> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    return sorted;
}

std::vector<float> withoutOutliers(std::span<const float> values, double share)
{
    const auto sorted = sortedOf(values);
    const double low = linearQuantile(sorted, share);
    const double high = linearQuantile(sorted, 1 - share);
    std::vector<float> rest;
    for (const float value : values) {
        if (value >= low && value <= high)
            rest.push_back(value);
    }
    return rest.empty() ? sorted : rest;
}

float medianOf(std::span<const float> values)
{
    return static_cast<float>(linearQuantile(sortedOf(values), 0.5));
}

float movingAverageOf(std::span<const float> values)
{
    double average = values.front();
    for (const float value : values.subspan(1))
        average += kAveraging * (value - average);
    return static_cast<float>(average);
}

} // namespace

float aggregateOf(std::span<const float> values, AggregatorType aggregator, double outlierShare)
{
    switch (aggregator) {
    case AggregatorType::Max:
        return std::ranges::max(values);
    case AggregatorType::Min:
        return std::ranges::min(values);
    case AggregatorType::Median:
        return medianOf(values);
    case AggregatorType::MeanNoOutliers:
        return meanOf(withoutOutliers(values, outlierShare));
    case AggregatorType::MedianNoOutliers:
        return medianOf(withoutOutliers(values, outlierShare));
    case AggregatorType::MovingAverage:
        return movingAverageOf(values);
    default:
        return meanOf(values);
    }
}

} // namespace duo
