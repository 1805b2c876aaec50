// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/tensor_measure.h"

#include "core/calibrate/measure/tail_ranks.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr std::int32_t kNotFinite = 0x7F800000; // pattern of infinity
constexpr std::size_t kChunk = kMostAtOnce; // values read again while they lie in the first cache

int binOfPattern(std::int32_t pattern)
{
    return pattern >> logbin::kShift;
}

/// Which of 0 and -0 comes out as an extreme depends on the width of vectors.
void dropSignOfZeros(float& min, float& max)
{
    min += 0.0F; // -0 + 0 is 0
    max += 0.0F;
}

ChannelSum rounded(const ExactSum& exact)
{
    ChannelSum sum;
    sum.addRounded(exact);
    return sum;
}

} // namespace

TensorMeter::Shape TensorMeter::shapeOf(std::span<const std::int64_t> dims, std::optional<std::int64_t> channelAxis)
{
    Shape shape;
    if (!channelAxis || *channelAxis < 0 || static_cast<std::size_t>(*channelAxis) >= dims.size())
        return shape;
    const auto axis = static_cast<std::size_t>(*channelAxis);
    for (std::size_t i = 0; i < dims.size(); ++i) {
        const auto size = static_cast<std::size_t>(dims[i]);
        (i < axis ? shape.outer : i == axis ? shape.channels : shape.inner) *= i == axis ? 1 : size;
        if (i == axis)
            shape.channels = size;
    }
    return shape;
}

void TensorMeter::restart(std::int64_t elements)
{
    if (m_counted > 0)
        m_tables.clear(nearestBin(), farthestBin());
    m_counted = 0;
    restartChannels(0, 0);
    m_result = {};
    m_result.elements = elements;
    m_runs.clear();
    m_most = 0;
    m_least = std::numeric_limits<std::int32_t>::max();
}

const TensorMeasure& TensorMeter::measure(
    std::span<const float> values, std::span<const std::int64_t> dims, std::optional<std::int64_t> channelAxis)
{
    restart(static_cast<std::int64_t>(values.size()));
    Shape shape = m_kinds.channels ? shapeOf(dims, channelAxis) : Shape{};
    if (values.empty() && shape.channels > 0) {
        restartChannels(shape.channels, 0);
        shape = {};
    }
    if (shape.channels == 0) {
        passWhole(values);
    } else if (shape.inner > 1) {
        passPlanes(values.data(), shape);
    } else {
        passRows(values.data(), shape);
    }
    if (m_most >= kNotFinite) {
        measureLeavingOut(values, shape);
    } else {
        measureFinite(values);
    }
    dropSignOfZeros(m_result.min, m_result.max);
    finishChannels();
    return m_result;
}

/// @param elements of each
void TensorMeter::restartChannels(std::size_t count, std::int64_t elements)
{
    m_channels.min.assign(count, std::numeric_limits<float>::max());
    m_channels.max.assign(count, std::numeric_limits<float>::lowest());
    m_channels.moments.assign(count, {});
    m_channels.counts.assign(count, elements);
}

void TensorMeter::finishChannels()
{
    Channels& channels = m_channels;
    channels.sum.resize(channels.min.size());
    channels.squares.resize(channels.min.size());
    for (std::size_t c = 0; c < channels.min.size(); ++c) {
        dropSignOfZeros(channels.min[c], channels.max[c]);
        channels.sum[c] = rounded(channels.moments[c].sum);
        channels.squares[c] = rounded(channels.moments[c].squares);
    }
    m_result.channels = {channels.min, channels.max, channels.sum, channels.squares, channels.counts};
}

/// Extremes and sums are known; bins are counted but after passRows.
void TensorMeter::measureFinite(std::span<const float> values)
{
    if (!m_kinds.histogram || values.empty())
        return;
    if (m_counted == 0) {
        countBins(values);
        m_runs.push_back({values, m_result.min, m_result.max});
    }
    m_tables.fold(nearestBin(), farthestBin());
    const auto binOf = [](float value) { return value < 0 ? -logbin::of(value) : logbin::of(value); };
    m_result.bins = {m_tables.counts(false), m_tables.counts(true), binOf(m_result.min), binOf(m_result.max),
        static_cast<int>(nearestBin()), false};
    if (m_kinds.quantiles)
        findQuantiles();
}

std::size_t TensorMeter::nearestBin() const
{
    return m_most == 0 ? 1 : static_cast<std::size_t>(std::max(1, binOfPattern(m_least + 1)));
}

std::size_t TensorMeter::farthestBin() const
{
    return static_cast<std::size_t>(std::max(1, binOfPattern(m_most)));
}

MagnitudeSpan TensorMeter::note(const Totals& totals)
{
    m_result.min = std::min(m_result.min, totals.min);
    m_result.max = std::max(m_result.max, totals.max);
    m_most = std::max(m_most, totals.most);
    m_least = std::min(m_least, totals.least);
    return {totals.most, totals.most == 0 ? 0 : totals.least + 1};
}

void TensorMeter::passWhole(std::span<const float> values)
{
    for (std::size_t at = 0; at < values.size(); at += kChunk)
        passRun(values.subspan(at, std::min(kChunk, values.size() - at)), m_kinds.moments, m_result.moments);
}

/// At most kChunk values. @return their extremes
Totals TensorMeter::passRun(std::span<const float> values, bool squares, ExactMoments& moments)
{
    LaneTotals lanes;
    double sum = 0;
    const bool counts = m_kinds.histogram && values.size() <= BinTables::kMost - m_counted;
    if (counts) {
        sum = m_tables.countRun(values.data(), values.size(), lanes);
        m_counted += values.size();
    } else {
        lanes.addRun(values.data(), values.size());
    }
    const Totals totals = lanes.together();
    const MagnitudeSpan span = note(totals);
    const bool isFinite = totals.most < kNotFinite;
    if (isFinite && counts && !squares && addUpExactly(span))
        moments.sum.add(sum);
    else if (isFinite && (squares || m_kinds.histogram))
        addExactly(values.data(), values.size(), span, squares, moments);
    if (m_kinds.histogram && !counts)
        countBins(values);
    if (m_kinds.quantiles)
        m_runs.push_back({values, totals.min, totals.max});
    return totals;
}

void TensorMeter::passPlanes(const float* values, const Shape& shape)
{
    Channels& channels = m_channels;
    restartChannels(shape.channels, static_cast<std::int64_t>(shape.outer * shape.inner));
    for (std::size_t plane = 0; plane < shape.outer * shape.channels; ++plane) {
        const std::size_t c = plane % shape.channels;
        const std::span run(values + plane * shape.inner, shape.inner);
        for (std::size_t at = 0; at < run.size(); at += kChunk) {
            const Totals totals
                = passRun(run.subspan(at, std::min(kChunk, run.size() - at)), true, channels.moments[c]);
            channels.min[c] = std::min(channels.min[c], totals.min);
            channels.max[c] = std::max(channels.max[c], totals.max);
        }
    }
    for (const ExactMoments& channel : channels.moments)
        m_result.moments.add(channel);
}

void TensorMeter::passRows(const float* values, const Shape& shape)
{
    restartChannels(shape.channels, static_cast<std::int64_t>(shape.outer));
    constexpr std::size_t kRows = kChunk / LaneTotals::kLanes;
    for (std::size_t row = 0; row < shape.outer; row += kRows) {
        const std::size_t rows = std::min(kRows, shape.outer - row);
        for (std::size_t c = 0; c < shape.channels; c += LaneTotals::kLanes)
            passColumns(values + row * shape.channels + c, rows, c, std::min(LaneTotals::kLanes, shape.channels - c));
    }
}

/// Rows of `lanes` channels from `first` on.
void TensorMeter::passColumns(const float* values, std::size_t rows, std::size_t first, std::size_t lanes)
{
    Channels& channels = m_channels;
    const std::size_t stride = channels.min.size();
    LaneTotals totals;
    if (lanes == LaneTotals::kLanes) {
        totals.addRows(values, rows, stride);
    } else {
        for (std::size_t row = 0; row < rows; ++row)
            totals.addPart(values + row * stride, lanes);
    }
    const MagnitudeSpan span = note(totals.together());
    if (span.most < kNotFinite) {
        const auto columns = std::span(channels.moments).subspan(first, lanes);
        addColumnsExactly(values, rows, stride, span, columns, m_result.moments);
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        channels.min[first + lane] = std::min(channels.min[first + lane], totals.min[lane]);
        channels.max[first + lane] = std::max(channels.max[first + lane], totals.max[lane]);
    }
}

void TensorMeter::countBins(std::span<const float> values)
{
    values = values.first(std::min(values.size(), BinTables::kMost - m_counted));
    m_tables.count(values.data(), values.size());
    m_counted += values.size();
}

void TensorMeter::findQuantiles()
{
    const auto enough = TailRanks::needed(m_counted, kOutlierProbability);
    const auto outer = m_result.bins.outerBins(enough);
    const TailRanks ranks(outer, m_counted, m_result.min, m_result.max, kOutlierProbability);
    m_tails.restart(enough, ranks.low(), ranks.high());
    for (const Run& run : m_runs) {
        if (m_tails.wants(run.min, run.max))
            m_tails.add(run.values);
    }
    const TailQuantiles quantiles = ranks.quantiles(m_tails);
    m_result.low = quantiles.low;
    m_result.high = quantiles.high;
    m_result.magnitude = quantiles.magnitude;
}

/// The rare way: the finite values are copied out and measured, channels one value at a time.
void TensorMeter::measureLeavingOut(std::span<const float> values, const Shape& shape)
{
    restart(m_result.elements);
    m_finite.clear();
    for (const float value : values) {
        m_result.nan += std::isnan(value) ? 1 : 0;
        m_result.infinite += std::isinf(value) ? 1 : 0;
        if (std::isfinite(value))
            m_finite.push_back(value);
    }
    passWhole(m_finite);
    measureFinite(m_finite);
    if (shape.channels == 0)
        return;
    Channels& channels = m_channels;
    restartChannels(shape.channels, 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i]))
            continue;
        const std::size_t c = i / shape.inner % shape.channels;
        const double wide = values[i];
        channels.min[c] = std::min(channels.min[c], values[i]);
        channels.max[c] = std::max(channels.max[c], values[i]);
        channels.moments[c].sum.add(wide);
        channels.moments[c].squares.add(wide * wide);
        ++channels.counts[c];
    }
}

} // namespace duo
