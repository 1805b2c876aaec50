// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/recorder.h"

#include <algorithm>

namespace duo {
namespace {

ChannelStatistics channelsOf(const ChannelMeasure& measure, std::int64_t axis)
{
    ChannelStatistics channels;
    channels.axis = axis;
    channels.min.assign(measure.min.begin(), measure.min.end());
    channels.max.assign(measure.max.begin(), measure.max.end());
    channels.sum.assign(measure.sum.begin(), measure.sum.end());
    channels.squares.assign(measure.squares.begin(), measure.squares.end());
    channels.counts.assign(measure.counts.begin(), measure.counts.end());
    return channels;
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
        all.sum[c].add(measure.sum[c]);
        all.squares[c].add(measure.squares[c]);
        all.counts[c] += measure.counts[c];
    }
}

/// As wanted: negative from the end; nothing where channels of the value are not measured.
std::optional<std::int64_t> channelAxisOf(const Measurement& wanted, const std::string& value)
{
    const auto axis = wanted.channelAxes.find(value);
    return wanted.kinds.channels && axis != wanted.channelAxes.end() ? std::optional(axis->second) : std::nullopt;
}

} // namespace

TapMeasures tapMeasures(const Measurement& wanted, const std::vector<std::string>& values)
{
    TapMeasures measures{wanted.kinds, {}};
    for (const std::string& name : values)
        measures.channelAxes.push_back(channelAxisOf(wanted, name));
    return measures;
}

Recorder::Recorder(const Measurement& wanted, SampleSpan span)
    : m_wanted(wanted)
    , m_span(span)
    , m_slots(wanted.values.size())
{
    const auto count = static_cast<std::size_t>(span.count);
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        Slot& slot = m_slots[i];
        slot.channelAxis = channelAxisOf(wanted, wanted.values[i]);
        SampleStatistics& samples = slot.statistics.samples;
        samples.min.resize(count, TensorMeasure{}.min);
        samples.max.resize(count, TensorMeasure{}.max);
        samples.mean.resize(count);
        slot.finite.resize(count);
        for (auto* quantiles : {&samples.low, &samples.high, &samples.magnitude})
            quantiles->resize(wanted.kinds.quantiles ? count : 0);
    }
}

void Recorder::add(std::size_t value, std::int64_t sample, std::span<const float> values,
    std::span<const std::int64_t> dims, TensorMeter& meter)
{
    Slot& slot = m_slots[value];
    add(slot, sample, meter.measure(values, dims, axisFromStart(slot.channelAxis, dims.size())));
}

Status Recorder::addTapped(std::size_t value, std::int64_t sample, const TensorView& shown, TensorMeter& meter)
{
    if (shown.type == ElementType::Float32) {
        add(value, sample, shown.floats(), shown.dims, meter);
        return success();
    }
    DUO_TRY(measure, readMeasure(shown.bytes));
    add(m_slots[value], sample, measure);
    return success();
}

void Recorder::add(Slot& slot, std::int64_t sample, const TensorMeasure& measure) const
{
    const std::lock_guard lock(slot.mutex);
    record(slot, sample, measure);
    if (!slot.channelAxis)
        return;
    if (slot.hasChannels) {
        addChannels(slot.statistics.channels, measure.channels);
    } else {
        slot.statistics.channels = channelsOf(measure.channels, *slot.channelAxis);
        slot.hasChannels = true;
    }
}

void Recorder::record(Slot& slot, std::int64_t sample, const TensorMeasure& measure) const
{
    ValueStatistics& all = slot.statistics;
    recordSample(slot, static_cast<std::size_t>(sample - m_span.first), measure);
    all.min = std::min(all.min, measure.min);
    all.max = std::max(all.max, measure.max);
    all.elements += measure.elements;
    all.nan += measure.nan;
    all.infinite += measure.infinite;
    if (measure.nan + measure.infinite > 0 && (all.firstNonFiniteSample < 0 || sample < all.firstNonFiniteSample))
        all.firstNonFiniteSample = sample;
    slot.bins.add(measure.bins);
    all.sum.add(measure.moments.sum);
    if (m_wanted.kinds.moments)
        all.squares.add(measure.moments.squares);
}

/// A value of a body is measured each time the body runs: all of that is one sample.
void Recorder::recordSample(Slot& slot, std::size_t at, const TensorMeasure& measure) const
{
    SampleStatistics& samples = slot.statistics.samples;
    const bool isFirst = slot.finite[at] == 0;
    const auto unite
        = [&](std::vector<float>& all, float next, auto choose) { all[at] = isFirst ? next : choose(all[at], next); };
    const auto least = [](float a, float b) { return std::min(a, b); };
    const auto most = [](float a, float b) { return std::max(a, b); };
    if (measure.finite() == 0)
        return;
    samples.min[at] = std::min(samples.min[at], measure.min);
    samples.max[at] = std::max(samples.max[at], measure.max);
    const auto before = static_cast<double>(slot.finite[at]);
    slot.finite[at] += measure.finite();
    samples.mean[at] = static_cast<float>(
        (samples.mean[at] * before + measure.moments.sum.value()) / static_cast<double>(slot.finite[at]));
    if (!m_wanted.kinds.quantiles)
        return;
    unite(samples.low, measure.low, least); // of each run; what lies between runs is not told
    unite(samples.high, measure.high, most);
    unite(samples.magnitude, measure.magnitude, most);
}

std::vector<Convergence::RoundExtremes> Recorder::extremes(std::int64_t first, std::int64_t count) const
{
    std::vector<Convergence::RoundExtremes> extremes;
    for (const Slot& slot : m_slots) {
        const auto part = [&](const std::vector<float>& samples) {
            return std::span(samples).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
        };
        extremes.push_back({part(slot.statistics.samples.min), part(slot.statistics.samples.max)});
    }
    return extremes;
}

Statistics Recorder::finish(std::int64_t taken)
{
    Statistics statistics;
    statistics.spans = {{m_span.first, taken}};
    statistics.kinds = m_wanted.kinds;
    for (std::size_t i = 0; i < m_slots.size(); ++i) {
        m_slots[i].statistics.histogram.add(m_slots[i].bins.bins());
        SampleStatistics& samples = m_slots[i].statistics.samples;
        for (auto* one : {&samples.min, &samples.max, &samples.mean, &samples.low, &samples.high, &samples.magnitude})
            one->resize(std::min(one->size(), static_cast<std::size_t>(taken)));
        statistics.values.emplace(m_wanted.values[i], std::move(m_slots[i].statistics));
    }
    return statistics;
}

} // namespace duo
