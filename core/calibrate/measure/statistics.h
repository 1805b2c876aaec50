// SPDX-License-Identifier: Apache-2.0
// Statistics of values over a dataset. They merge exactly: the same samples give the same statistics, however they were
// split over threads, processes or machines.
#pragma once

#include "core/calibrate/measure/exact_sum.h"
#include "core/calibrate/measure/tensor_measure.h"
#include "core/support/result.h"

#include <map>
#include <string>
#include <vector>

namespace duo {

/// One number per sample, in sample order.
struct SampleStatistics {
    std::vector<float> min; // min > max: the sample has no finite element
    std::vector<float> max;
    std::vector<float> mean;
    std::vector<float> low; // quantiles, see TensorMeasure; empty if not recorded
    std::vector<float> high;
    std::vector<float> magnitude;
    bool operator==(const SampleStatistics&) const = default;
};

/// Along one axis of the value; empty where channels do not matter, or where samples differ in their number.
struct ChannelStatistics {
    std::int64_t axis = -1;
    std::vector<float> min; // [C]
    std::vector<float> max;
    std::vector<ChannelSum> sum;
    std::vector<ChannelSum> squares;
    std::vector<std::int64_t> counts; // finite elements
    bool vary = false; // samples differ in their number of channels

    [[nodiscard]] double mean(std::size_t channel) const; // 0 where nothing was counted
    bool operator==(const ChannelStatistics&) const = default;
};

/// Everything recorded of one value.
struct ValueStatistics {
    float min = std::numeric_limits<float>::max(); // exact; min > max if no finite element was seen
    float max = std::numeric_limits<float>::lowest();
    std::int64_t elements = 0;
    std::int64_t nan = 0; // left out of everything else
    std::int64_t infinite = 0;
    std::int64_t firstNonFiniteSample = -1; // index in the dataset
    SampleStatistics samples;
    LogHistogram histogram;
    ExactSum sum;
    ExactSum squares;
    ChannelStatistics channels;

    [[nodiscard]] std::int64_t nonFinite() const { return nan + infinite; }
    [[nodiscard]] std::int64_t finite() const { return elements - nan - infinite; }
    [[nodiscard]] double mean() const;
    bool operator==(const ValueStatistics&) const = default;
};

/// Samples first to first + count - 1 of a dataset.
struct SampleSpan {
    std::int64_t first = 0;
    std::int64_t count = 0;
    bool operator==(const SampleSpan&) const = default;
};

struct Statistics {
    std::vector<SampleSpan> spans; // rising, apart from each other
    MeasureKinds kinds;
    std::map<std::string, ValueStatistics> values; // by address of the value (addressOf)
    std::vector<std::string> remarks; // why a slower way was taken; no part of the result

    [[nodiscard]] std::int64_t samples() const;
};

/// Statistics of the samples of all parts together. @return BadData if parts share samples, or were taken of different
/// values or kinds
Result<Statistics> mergedStatistics(std::vector<Statistics> parts);

/// Samples of shard `index` of `count` (from 0): contiguous, as equal as can be.
SampleSpan shardOf(std::int64_t samples, std::int64_t index, std::int64_t count);

} // namespace duo
