// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/tensor_measure.h"

#include "core/calibrate/measure/tail_ranks.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr std::uint32_t kNotFinite = 0xFF000000U; // pattern of infinity, shifted left by one
constexpr std::size_t kChunk = 2048; // values read twice while they lie in the first cache

int binOfPattern(std::uint32_t shifted)
{
    return static_cast<int>(shifted >> static_cast<unsigned>(logbin::kShift + 1));
}

ChannelMeasure emptyChannels(std::size_t channels, std::int64_t counts)
{
    ChannelMeasure empty;
    empty.min.assign(channels, std::numeric_limits<float>::max());
    empty.max.assign(channels, std::numeric_limits<float>::lowest());
    empty.sum.assign(channels, 0);
    empty.squares.assign(channels, 0);
    empty.counts.assign(channels, counts);
    return empty;
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

const TensorMeasure& TensorMeter::measure(
    std::span<const float> values, std::span<const std::int64_t> dims, std::optional<std::int64_t> channelAxis)
{
    m_result = {};
    m_result.elements = static_cast<std::int64_t>(values.size());
    m_most = 0;
    m_least = std::numeric_limits<std::uint32_t>::max();
    Shape shape = m_kinds.channels ? shapeOf(dims, channelAxis) : Shape{};
    if (values.empty() && shape.channels > 0) {
        m_result.channels = emptyChannels(shape.channels, 0);
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
    m_result.min += 0.0F; // -0 + 0 is 0
    m_result.max += 0.0F;
    return m_result;
}

/// Extremes and squares are known; so are the bins after passWhole.
void TensorMeter::measureFinite(std::span<const float> values)
{
    if (!m_kinds.histogram)
        return;
    if (m_result.bins.empty())
        countBins(values);
    sumBins();
    if (m_kinds.quantiles)
        findQuantiles(values);
}

void TensorMeter::note(const LaneTotals& totals, std::size_t lanes)
{
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        m_result.min = std::min(m_result.min, totals.min[lane]);
        m_result.max = std::max(m_result.max, totals.max[lane]);
        m_most = std::max(m_most, totals.most[lane]);
        m_least = std::min(m_least, totals.least[lane]);
        m_result.squares += totals.squares[lane];
    }
}

void TensorMeter::passWhole(std::span<const float> values)
{
    LaneTotals totals;
    std::size_t counted = 0;
    for (std::size_t at = 0; at < values.size(); at += kChunk) {
        const std::size_t size = std::min(kChunk, values.size() - at);
        totals.addRun(values.data() + at, size, m_kinds.moments);
        if (!m_kinds.histogram)
            continue;
        if (counted + size > BinTables::kMostAtOnce) {
            note(totals, LaneTotals::kLanes);
            m_result.squares = 0;
            takeBins();
            counted = 0;
        }
        m_tables.count(values.data() + at, size);
        counted += size;
    }
    note(totals, LaneTotals::kLanes);
    if (m_kinds.histogram)
        takeBins();
}

void TensorMeter::passPlanes(const float* values, const Shape& shape)
{
    m_result.channels = emptyChannels(shape.channels, static_cast<std::int64_t>(shape.outer * shape.inner));
    ChannelMeasure& channels = m_result.channels;
    for (std::size_t plane = 0; plane < shape.outer * shape.channels; ++plane) {
        const std::size_t c = plane % shape.channels;
        LaneTotals totals;
        totals.addRun(values + plane * shape.inner, shape.inner, true);
        note(totals, LaneTotals::kLanes);
        for (std::size_t lane = 0; lane < LaneTotals::kLanes; ++lane) {
            channels.min[c] = std::min(channels.min[c], totals.min[lane]);
            channels.max[c] = std::max(channels.max[c], totals.max[lane]);
            channels.sum[c] += totals.sum[lane];
            channels.squares[c] += totals.squares[lane];
        }
    }
}

void TensorMeter::passRows(const float* values, const Shape& shape)
{
    ChannelMeasure& channels = m_result.channels;
    for (std::size_t c = 0; c < shape.channels; c += LaneTotals::kLanes) {
        const std::size_t lanes = std::min(LaneTotals::kLanes, shape.channels - c);
        LaneTotals totals;
        if (lanes == LaneTotals::kLanes) {
            totals.addRows(values + c, shape.outer, shape.channels, true);
        } else {
            for (std::size_t row = 0; row < shape.outer; ++row)
                totals.addPart(values + row * shape.channels + c, lanes, true);
        }
        note(totals, lanes);
        const auto end = static_cast<std::ptrdiff_t>(lanes);
        channels.min.insert(channels.min.end(), totals.min.begin(), totals.min.begin() + end);
        channels.max.insert(channels.max.end(), totals.max.begin(), totals.max.begin() + end);
        channels.sum.insert(channels.sum.end(), totals.sum.begin(), totals.sum.begin() + end);
        channels.squares.insert(channels.squares.end(), totals.squares.begin(), totals.squares.begin() + end);
    }
    channels.counts.assign(shape.channels, static_cast<std::int64_t>(shape.outer));
}

void TensorMeter::countBins(std::span<const float> values)
{
    for (std::size_t at = 0; at < values.size(); at += BinTables::kMostAtOnce) {
        m_tables.count(values.data() + at, std::min(BinTables::kMostAtOnce, values.size() - at));
        takeBins();
    }
}

/// Empties the tables into the result; the extremes say which bins can hold anything.
void TensorMeter::takeBins()
{
    constexpr std::uint64_t kLowMask = (std::uint64_t{1} << static_cast<unsigned>(BinTables::kLowBits)) - 1;
    constexpr std::size_t kNegative = std::size_t{1} << 13;
    const int top = binOfPattern(std::max(m_most, std::uint32_t{1}));
    const int bottom = m_most == 0 ? 1 : std::max(1, binOfPattern(m_least + 1U));
    std::vector<BinCount> bins;
    std::vector<std::uint64_t> lows;
    const auto take = [&](std::size_t index, int bin) {
        const std::uint64_t word = m_tables.take(index);
        if (word == 0)
            return;
        bins.push_back({bin, word >> static_cast<unsigned>(BinTables::kLowBits)});
        lows.push_back(word & kLowMask);
    };
    for (int k = top; k >= bottom; --k)
        take(kNegative + static_cast<std::size_t>(k), -k);
    const std::uint64_t zeros = m_tables.take(0);
    const std::uint64_t negativeZeros = m_tables.take(kNegative);
    if (zeros + negativeZeros != 0) {
        bins.push_back({0, (zeros + negativeZeros) >> static_cast<unsigned>(BinTables::kLowBits)});
        lows.push_back((zeros & kLowMask) - (negativeZeros & kLowMask)); // modulo 2^64
    }
    for (int k = bottom; k <= top; ++k)
        take(static_cast<std::size_t>(k), k);
    if (m_result.bins.empty()) {
        m_result.bins = std::move(bins);
        m_lowBits = std::move(lows);
    } else {
        mergeBins(bins, lows);
    }
}

/// A tensor of more than four million elements: its bins come in parts.
void TensorMeter::mergeBins(const std::vector<BinCount>& bins, const std::vector<std::uint64_t>& lows)
{
    std::vector<BinCount> merged;
    std::vector<std::uint64_t> mergedLows;
    for (std::size_t a = 0, b = 0; a < bins.size() || b < m_result.bins.size();) {
        const bool first = b == m_result.bins.size() || (a < bins.size() && bins[a].bin <= m_result.bins[b].bin);
        const BinCount& bin = first ? bins[a] : m_result.bins[b];
        const std::uint64_t low = first ? lows[a++] : m_lowBits[b++];
        if (!merged.empty() && merged.back().bin == bin.bin) {
            merged.back().count += bin.count;
            mergedLows.back() += low;
        } else {
            merged.push_back(bin);
            mergedLows.push_back(low);
        }
    }
    m_result.bins = std::move(merged);
    m_lowBits = std::move(mergedLows);
}

/// The exact sum, from counts and low bits: an element of bin k is (its first mantissa + low bits) * 2^exponent.
void TensorMeter::sumBins()
{
    for (std::size_t i = 0; i < m_result.bins.size(); ++i) {
        const auto& [bin, count] = m_result.bins[i];
        const auto k = static_cast<std::uint64_t>(std::abs(bin));
        const std::uint64_t field = k >> static_cast<unsigned>(logbin::kMantissaBits);
        const std::uint64_t top = (k & ((1U << static_cast<unsigned>(logbin::kMantissaBits)) - 1U))
            << static_cast<unsigned>(logbin::kShift);
        const std::uint64_t first = (field == 0 ? 0 : std::uint64_t{1} << 23U) + top;
        const int exponent = static_cast<int>(std::max<std::uint64_t>(field, 1)) - 150;
        const std::uint64_t low = m_lowBits[i];
        const bool negativeLow = bin == 0 && static_cast<std::int64_t>(low) < 0;
        m_result.sum.addScaled(count * first + (negativeLow ? 0 - low : low), exponent, bin < 0 || negativeLow);
    }
}

void TensorMeter::findQuantiles(std::span<const float> values)
{
    const TailRanks ranks(m_result.bins, m_lowBits, kOutlierProbability);
    m_tails.clear();
    if (ranks.needsValues())
        appendOutside(values.data(), values.size(), ranks.low(), ranks.high(), m_tails);
    const TailQuantiles quantiles = ranks.quantiles(m_tails);
    m_result.low = quantiles.low;
    m_result.high = quantiles.high;
    m_result.magnitude = quantiles.magnitude;
}

/// The rare way: the finite values are copied out and measured, channels one value at a time.
void TensorMeter::measureLeavingOut(std::span<const float> values, const Shape& shape)
{
    const std::int64_t elements = m_result.elements;
    m_result = {};
    m_result.elements = elements;
    m_most = 0;
    m_least = std::numeric_limits<std::uint32_t>::max();
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
    m_result.channels = emptyChannels(shape.channels, 0);
    ChannelMeasure& channels = m_result.channels;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i]))
            continue;
        const std::size_t c = i / shape.inner % shape.channels;
        const double wide = values[i];
        channels.min[c] = std::min(channels.min[c], values[i]);
        channels.max[c] = std::max(channels.max[c], values[i]);
        channels.sum[c] += wide;
        channels.squares[c] += wide * wide;
        ++channels.counts[c];
    }
}

} // namespace duo
