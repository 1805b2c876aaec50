// SPDX-License-Identifier: Apache-2.0
// TensorMeasure: everything recorded of one tensor of one sample, and the meter that takes it.
#pragma once

#include "core/calibrate/measure/exact_moments.h"
#include "core/calibrate/measure/lane_totals.h"
#include "core/calibrate/measure/log_histogram.h"
#include "core/calibrate/measure/tail_values.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace duo {

/// Share of values NNCF calls outliers, on each side; per-sample quantiles are recorded for it.
inline constexpr double kOutlierProbability = 1e-4;

/// Per channel of one tensor.
struct ChannelMeasure {
    std::span<const float> min; // [C]; min > max: no finite element
    std::span<const float> max;
    std::span<const ChannelSum> sum;
    std::span<const ChannelSum> squares;
    std::span<const std::int64_t> counts; // finite elements
};

/// A view of what a meter, or whoever keeps the numbers, holds.
struct TensorMeasure {
    std::int64_t elements = 0;
    std::int64_t nan = 0;
    std::int64_t infinite = 0;
    float min = std::numeric_limits<float>::max(); // of finite elements, as all below; min > max: there is none
    float max = std::numeric_limits<float>::lowest();
    float low = 0; // quantiles of this tensor, as numpy computes them: at kOutlierProbability,
    float high = 0; // at 1 - kOutlierProbability,
    float magnitude = 0; // and of magnitudes at 1 - kOutlierProbability
    BinView bins;
    ExactMoments moments;
    ChannelMeasure channels; // empty if not asked for

    [[nodiscard]] std::int64_t finite() const { return elements - nan - infinite; }
};

/// What to take besides extremes and what is not finite.
struct MeasureKinds {
    bool quantiles = true; // per sample; needs the histogram
    bool moments = true; // squares
    bool channels = true;
    bool histogram = true; // and sum
    bool operator==(const MeasureKinds&) const = default;
};

/// Measures one tensor after the other; 200 kB of work space, one per thread.
class TensorMeter
{
public:
    explicit TensorMeter(MeasureKinds kinds = {})
        : m_kinds(kinds)
    {
    }

    /// The result depends on the values alone. @param dims shape, whose product is the number of values
    /// @param channelAxis of dims; nothing: no channels. @return valid until the next call
    const TensorMeasure& measure(
        std::span<const float> values, std::span<const std::int64_t> dims, std::optional<std::int64_t> channelAxis);

private:
    struct Shape {
        std::size_t outer = 1;
        std::size_t channels = 0; // 0: not wanted
        std::size_t inner = 1;
    };
    static Shape shapeOf(std::span<const std::int64_t> dims, std::optional<std::int64_t> channelAxis);
    void restart(std::int64_t elements);
    void measureFinite(std::span<const float> values);
    void measureLeavingOut(std::span<const float> values, const Shape& shape);
    void passWhole(std::span<const float> values);
    Totals passRun(std::span<const float> values, bool squares, ExactMoments& moments);
    void passPlanes(const float* values, const Shape& shape);
    void passRows(const float* values, const Shape& shape);
    void passColumns(const float* values, std::size_t rows, std::size_t first, std::size_t lanes);
    MagnitudeSpan note(const Totals& totals);
    void countBins(std::span<const float> values);
    [[nodiscard]] std::size_t nearestBin() const;
    [[nodiscard]] std::size_t farthestBin() const;
    void findQuantiles();

    void restartChannels(std::size_t count, std::int64_t elements);
    void finishChannels();

    /// What m_result shows of channels, and what it comes from.
    struct Channels {
        std::vector<float> min;
        std::vector<float> max;
        std::vector<ExactMoments> moments;
        std::vector<ChannelSum> sum; // of moments
        std::vector<ChannelSum> squares;
        std::vector<std::int64_t> counts;
    };

    /// Values that were looked at together, and their extremes: most need not be looked at again for quantiles.
    struct Run {
        std::span<const float> values;
        float min;
        float max;
    };

    MeasureKinds m_kinds;
    TensorMeasure m_result;
    Channels m_channels;
    std::vector<Run> m_runs; // of the present tensor
    std::int32_t m_most = 0; // patterns as in LaneTotals, of the whole tensor
    std::int32_t m_least = 0;
    BinTables m_tables;
    std::size_t m_counted = 0; // elements in the tables
    TailValues m_tails;
    std::vector<float> m_finite;
};

} // namespace duo
