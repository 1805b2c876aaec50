// SPDX-License-Identifier: Apache-2.0
// Recorder: takes measures of tensors from several threads; each sample has its own place and everything else adds up
// in any order, so the result does not depend on theirs.
#pragma once

#include "core/calibrate/collect_statistics.h"
#include "core/calibrate/convergence.h"
#include "core/calibrate/measure/tap_measures.h"
#include "core/engine/session.h"

#include <deque>
#include <mutex>

namespace duo {

/// What is wanted of taps on `values`.
TapMeasures tapMeasures(const Measurement& wanted, const std::vector<std::string>& values);

class Recorder
{
public:
    Recorder(const Measurement& wanted, SampleSpan span);

    /// Measures `values` with `meter`, the calling thread's own. @param value index into Measurement::values
    void add(std::size_t value, std::int64_t sample, std::span<const float> values, std::span<const std::int64_t> dims,
        TensorMeter& meter);
    /// The same of what a tap shows: the value itself, or what the engine's process has measured of it.
    /// @return EngineFailed where the bytes are no measure
    Status addTapped(std::size_t value, std::int64_t sample, const TensorView& shown, TensorMeter& meter);
    [[nodiscard]] std::size_t values() const { return m_slots.size(); }
    /// Of samples `first` to `first + count - 1` of the span, by value.
    [[nodiscard]] std::vector<Convergence::RoundExtremes> extremes(std::int64_t first, std::int64_t count) const;
    /// @param taken samples measured, the first ones of the span
    Statistics finish(std::int64_t taken);

private:
    struct Slot {
        std::mutex mutex;
        ValueStatistics statistics;
        BinTotals bins;
        std::vector<std::int64_t> finite; // elements by sample
        std::optional<std::int64_t> channelAxis; // as wanted: negative from the end
        bool hasChannels = false; // of some sample
    };
    void add(Slot& slot, std::int64_t sample, const TensorMeasure& measure) const;
    void record(Slot& slot, std::int64_t sample, const TensorMeasure& measure) const;
    void recordSample(Slot& slot, std::size_t at, const TensorMeasure& measure) const;

    const Measurement& m_wanted;
    SampleSpan m_span;
    std::deque<Slot> m_slots; // [values]
};

} // namespace duo
