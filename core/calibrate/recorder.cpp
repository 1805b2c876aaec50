// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/recorder.h"

#include <algorithm>

namespace duo {
namespace {

ChannelStatistics channelsOf(const ChannelMeasure& measure, std::int64_t axis)
{
    ChannelStatistics channels;
    channels.axis = axis;
    channels.min = measure.min;
    channels.max = measure.max;
    channels.counts = measure.counts;
    channels.sum.resize(measure.min.size());
    channels.squares.resize(measure.min.size());
    return channels;
}

void addMoments(ChannelStatistics& channels, const ChannelMeasure& measure)
{
    for (std::size_t c = 0; c < channels.sum.size(); ++c) {
        channels.sum[c].add(measure.sum[c]);
        channels.squares[c].add(measure.squares[c]);
    }
}

void addChannels(ChannelStatistics& all, const ChannelMeasure& measure)
{
    if (all.min.size() != measure.min.size()) {
        const std::int64_t axis = all.axis;
        all = {};
        all.axis = axis;
        all.vary = true;
    }
    if (all.vary)
        return;
    for (std::size_t c = 0; c < all.min.size(); ++c) {
        all.min[c] = std::min(all.min[c], measure.min[c]);
        all.max[c] = std::max(all.max[c], measure.max[c]);
        all.counts[c] += measure.counts[c];
    }
    addMoments(all, measure);
}

} // namespace

Recorder::Recorder(const Measurement& wanted, SampleSpan span)
    : m_wanted(wanted)
    , m_span(span)
    , m_slots(wanted.values.size())
{
    const auto count = static_cast<std::size_t>(span.count);
    for (Slot& slot : m_slots) {
        SampleStatistics& samples = slot.statistics.samples;
        samples.min.resize(count, TensorMeasure{}.min);
        samples.max.resize(count, TensorMeasure{}.max);
        samples.mean.resize(count);
        for (auto* quantiles : {&samples.low, &samples.high, &samples.magnitude})
            quantiles->resize(wanted.kinds.quantiles ? count : 0);
    }
}

void Recorder::add(std::size_t value, std::int64_t sample, std::span<const float> values,
    std::span<const std::int64_t> dims, TensorMeter& meter)
{
    Slot& slot = m_slots[value];
    const auto axis = m_wanted.channelAxes.find(m_wanted.values[value]);
    const bool wantsChannels = m_wanted.kinds.channels && axis != m_wanted.channelAxes.end();
    std::optional<std::int64_t> channelAxis;
    if (wantsChannels)
        channelAxis = axis->second < 0 ? axis->second + static_cast<std::int64_t>(dims.size()) : axis->second;
    const TensorMeasure& measure = meter.measure(values, dims, channelAxis);
    const std::lock_guard lock(slot.mutex);
    record(slot, sample, measure);
    if (!wantsChannels)
        return;
    if (slot.hasChannels) {
        addChannels(slot.statistics.channels, measure.channels);
    } else {
        slot.statistics.channels = channelsOf(measure.channels, axis->second);
        addMoments(slot.statistics.channels, measure.channels);
        slot.hasChannels = true;
    }
}

void Recorder::record(Slot& slot, std::int64_t sample, const TensorMeasure& measure) const
{
    ValueStatistics& all = slot.statistics;
    const auto at = static_cast<std::size_t>(sample - m_span.first);
    all.samples.min[at] = measure.min;
    all.samples.max[at] = measure.max;
    if (measure.finite() > 0)
        all.samples.mean[at] = static_cast<float>(measure.sum.value() / static_cast<double>(measure.finite()));
    if (m_wanted.kinds.quantiles) {
        all.samples.low[at] = measure.low;
        all.samples.high[at] = measure.high;
        all.samples.magnitude[at] = measure.magnitude;
    }
    all.min = std::min(all.min, measure.min);
    all.max = std::max(all.max, measure.max);
    all.elements += measure.elements;
    all.nan += measure.nan;
    all.infinite += measure.infinite;
    if (measure.nan + measure.infinite > 0 && (all.firstNonFiniteSample < 0 || sample < all.firstNonFiniteSample))
        all.firstNonFiniteSample = sample;
    all.histogram.add(measure.bins);
    all.sum.add(measure.sum);
    if (m_wanted.kinds.moments)
        all.squares.add(measure.squares);
}

Statistics Recorder::finish()
{
    Statistics statistics;
    statistics.spans = {m_span};
    statistics.kinds = m_wanted.kinds;
    for (std::size_t i = 0; i < m_slots.size(); ++i)
        statistics.values.emplace(m_wanted.values[i], std::move(m_slots[i].statistics));
    return statistics;
}

} // namespace duo
