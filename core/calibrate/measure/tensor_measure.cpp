// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/tensor_measure.h"

#include "core/calibrate/measure/tail_ranks.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr std::uint32_t kNotFinite = 0xFF000000U; // pattern of infinity, shifted left by one
constexpr std::int64_t kFew = 4096; // values of a tensor whose bins are emptied sooner than waited for
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

void TensorMeter::restart(std::int64_t elements)
{
    std::vector<BinCount> bins = std::move(m_result.bins); // its memory serves again
    bins.clear();
    m_result = {};
    m_result.bins = std::move(bins);
    m_result.elements = elements;
    m_most = 0;
    m_least = std::numeric_limits<std::uint32_t>::max();
}

const TensorMeasure& TensorMeter::measure(
    std::span<const float> values, std::span<const std::int64_t> dims, std::optional<std::int64_t> channelAxis)
{
    restart(static_cast<std::int64_t>(values.size()));
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

/// Extremes and squares are known; so are the bins but after passRows.
void TensorMeter::measureFinite(std::span<const float> values)
{
    if (!m_kinds.histogram)
        return;
    if (m_result.bins.empty()) {
        countBins(values);
        takeBins();
    }
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
    for (std::size_t at = 0; at < values.size(); at += kChunk) {
        const std::size_t size = std::min(kChunk, values.size() - at);
        totals.addRun(values.data() + at, size, m_kinds.moments);
        if (!m_kinds.histogram)
            continue;
        if (m_counted + size > BinTables::kMostAtOnce) {
            note(totals, LaneTotals::kLanes);
            m_result.squares = 0;
        }
        countBins(values.subspan(at, size));
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
        if (m_kinds.histogram)
            countBins({values + plane * shape.inner, shape.inner});
        for (std::size_t lane = 0; lane < LaneTotals::kLanes; ++lane) {
            channels.min[c] = std::min(channels.min[c], totals.min[lane]);
            channels.max[c] = std::max(channels.max[c], totals.max[lane]);
            channels.sum[c] += totals.sum[lane];
            channels.squares[c] += totals.squares[lane];
        }
    }
    if (m_kinds.histogram)
        takeBins();
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

/// Of values whose extremes are noted already.
void TensorMeter::countBins(std::span<const float> values)
{
    while (!values.empty()) {
        const auto part = values.first(std::min(BinTables::kMostAtOnce, values.size()));
        if (m_counted + part.size() > BinTables::kMostAtOnce)
            takeBins();
        m_tables.count(part.data(), part.size(), m_result.elements < kFew);
        m_counted += part.size();
        values = values.subspan(part.size());
    }
}

/// Empties the tables into the result; the extremes say which bins can hold anything.
void TensorMeter::takeBins()
{
    constexpr std::uint64_t kLowMask = (std::uint64_t{1} << static_cast<unsigned>(BinTables::kLowBits)) - 1;
    constexpr std::size_t kNegative = std::size_t{1} << 13;
    const auto top = static_cast<std::size_t>(binOfPattern(std::max(m_most, std::uint32_t{1})));
    const auto bottom = m_most == 0 ? 1 : static_cast<std::size_t>(std::max(1, binOfPattern(m_least + 1U)));
    std::vector<BinCount> parts;
    std::vector<std::uint64_t> partLows;
    const bool isFirst = m_result.bins.empty();
    std::vector<BinCount>& bins = isFirst ? m_result.bins : parts;
    std::vector<std::uint64_t>& lows = isFirst ? m_lowBits : partLows;
    lows.clear();
    const auto add = [&](int bin, std::uint64_t word) {
        bins.push_back({bin, word >> static_cast<unsigned>(BinTables::kLowBits)});
        lows.push_back(word & kLowMask);
    };
    const auto take = [&](std::size_t first, std::size_t last) {
        m_entries.clear();
        if (first <= last)
            m_tables.take(first, last, m_entries);
    };
    take(kNegative + bottom, kNegative + top);
    for (auto entry = m_entries.rbegin(); entry != m_entries.rend(); ++entry)
        add(-static_cast<int>(entry->index - kNegative), entry->word);
    take(0, 0);
    const std::uint64_t zeros = m_entries.empty() ? 0 : m_entries.front().word;
    take(kNegative, kNegative);
    const std::uint64_t negativeZeros = m_entries.empty() ? 0 : m_entries.front().word;
    if (zeros + negativeZeros != 0) {
        bins.push_back({0, (zeros + negativeZeros) >> static_cast<unsigned>(BinTables::kLowBits)});
        lows.push_back((zeros & kLowMask) - (negativeZeros & kLowMask)); // modulo 2^64
    }
    take(bottom, top);
    for (const BinTables::Entry& entry : m_entries)
        add(static_cast<int>(entry.index), entry.word);
    if (!isFirst)
        mergeBins(bins, lows);
    m_tables.noteEmpty();
    m_counted = 0;
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

/// The exact sum, from counts and low bits: an element of bin k is (its first mantissa + low bits) * 2^exponent. Bins
/// of one exponent and sign are added up first: elements that fit into memory cannot overflow 63 bits.
void TensorMeter::sumBins()
{
    constexpr auto kMantissaBits = static_cast<unsigned>(logbin::kMantissaBits);
    std::uint64_t together = 0;
    std::uint64_t present = 0; // exponent field of `together`
    bool isNegative = false;
    const auto flush = [&] {
        m_result.sum.addScaled(together, static_cast<int>(std::max<std::uint64_t>(present, 1)) - 150, isNegative);
        together = 0;
    };
    for (std::size_t i = 0; i < m_result.bins.size(); ++i) {
        const auto& [bin, count] = m_result.bins[i];
        if (bin == 0) {
            const std::uint64_t low = m_lowBits[i];
            const bool negativeLow = static_cast<std::int64_t>(low) < 0;
            m_result.sum.addScaled(negativeLow ? 0 - low : low, -149, negativeLow);
            continue;
        }
        const auto k = static_cast<std::uint64_t>(std::abs(bin));
        const std::uint64_t field = k >> kMantissaBits;
        if (field != present || (bin < 0) != isNegative) {
            flush();
            present = field;
            isNegative = bin < 0;
        }
        const std::uint64_t top = (k & ((1U << kMantissaBits) - 1U)) << static_cast<unsigned>(logbin::kShift);
        together += count * ((field == 0 ? 0 : std::uint64_t{1} << 23U) + top) + m_lowBits[i];
    }
    flush();
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
