// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/estimate/estimate_range.h"

#include "core/calibrate/estimate/linear_histogram.h"
#include "core/calibrate/estimate/range_search.h"
#include "core/support/linear_quantile.h"

#include <algorithm>
#include <cmath>
#include <span>
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

/// One number from one number per sample, as NNCF's aggregators and numpy compute it.
/// @param values in sample order, not empty
/// @param outlierShare for the aggregators without outliers: values below this quantile of the samples and above its
/// counterpart are left out
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

using S = StatisticsType;
using A = AggregatorType;

/// Numbers of the samples that have finite elements.
std::vector<float> sampleNumbers(const ValueStatistics& value, S statistics, bool isMinSide)
{
    const SampleStatistics& samples = value.samples;
    std::vector<float> numbers;
    for (std::size_t i = 0; i < samples.min.size(); ++i) {
        if (samples.min[i] > samples.max[i])
            continue;
        switch (statistics) {
        case S::Max:
            numbers.push_back(samples.max[i]);
            break;
        case S::Min:
            numbers.push_back(samples.min[i]);
            break;
        case S::AbsMax:
            numbers.push_back(std::max(std::abs(samples.min[i]), std::abs(samples.max[i])));
            break;
        case S::Quantile:
            numbers.push_back(isMinSide ? samples.low[i] : samples.high[i]);
            break;
        case S::AbsQuantile:
            numbers.push_back(samples.magnitude[i]);
            break;
        default:
            numbers.push_back(samples.mean[i]);
            break;
        }
    }
    return numbers;
}

float magnitudeQuantile(const ValueStatistics& value, double q)
{
    std::vector<BinCount> magnitudes;
    for (const BinCount& bin : value.histogram.bins())
        magnitudes.push_back({std::abs(bin.bin), bin.count});
    std::ranges::sort(magnitudes, {}, &BinCount::bin);
    LogHistogram folded;
    for (const BinCount& bin : magnitudes)
        folded.add(std::span(&bin, 1));
    return quantileOf(folded, q, 0, std::max(std::abs(value.min), std::abs(value.max)));
}

/// One end, from the samples' numbers or from all values.
float endOf(const ValueStatistics& value, const CollectorParameters& side, bool isMinSide, bool isSymmetric,
    bool& fromHistogram)
{
    const A aggregator = side.aggregatorType.value_or(isMinSide ? A::Min : A::Max);
    S statistics = side.statisticsType.value_or(isMinSide ? S::Min : S::Max);
    if (isSymmetric && statistics == S::Max)
        statistics = S::AbsMax; // as NNCF
    const double share = side.quantileOutlierProb;
    const double q = isMinSide ? share : 1 - share;
    if (aggregator == A::Percentile)
        return isSymmetric && !isMinSide ? magnitudeQuantile(value, q)
                                         : quantileOf(value.histogram, q, value.min, value.max);
    const bool isQuantile = statistics == S::Quantile || statistics == S::AbsQuantile;
    const bool isRecorded = share == kOutlierProbability && !value.samples.low.empty();
    if (isQuantile && !isRecorded) {
        fromHistogram = true;
        return statistics == S::Quantile ? quantileOf(value.histogram, q, value.min, value.max)
                                         : magnitudeQuantile(value, q);
    }
    return aggregateOf(sampleNumbers(value, statistics, isMinSide), aggregator, share);
}

} // namespace

EstimatedRange estimateRange(
    const ValueStatistics& statistics, const RangeEstimatorParameters& parameters, bool isSymmetric, int levels)
{
    EstimatedRange range{statistics.min, statistics.max, false};
    if (statistics.min > statistics.max)
        return range;
    const A aggregator = parameters.max.aggregatorType.value_or(A::Max);
    if (aggregator == A::Histogram) {
        const auto ends = shrunkRange(statistics, levels);
        return {ends.low, ends.high, false};
    }
    if (aggregator == A::Mse || aggregator == A::Entropy) {
        const auto pieces = densityOf(statistics.histogram, statistics.min, statistics.max);
        const auto found = searchRange(pieces, aggregator == A::Mse ? squaredError : divergence, levels, isSymmetric);
        return {static_cast<float>(found.low), static_cast<float>(found.high), false};
    }
    range.min = endOf(statistics, parameters.min, true, isSymmetric, range.fromHistogram);
    range.max = endOf(statistics, parameters.max, false, isSymmetric, range.fromHistogram);
    if (range.min > range.max)
        std::swap(range.min, range.max);
    return range;
}

} // namespace duo
