// SPDX-License-Identifier: Apache-2.0
// Recorder: takes measures of tensors from several threads; each sample has its own place and everything else adds up
// in any order, so the result does not depend on theirs.
#pragma once

#include "core/calibrate/collect_statistics.h"

#include <deque>
#include <mutex>

namespace duo {

class Recorder
{
public:
    Recorder(const Measurement& wanted, SampleSpan span);

    /// Measures `values` with `meter`, the calling thread's own. @param value index into Measurement::values
    void add(std::size_t value, std::int64_t sample, std::span<const float> values, std::span<const std::int64_t> dims,
        TensorMeter& meter);
    Statistics finish();

private:
    struct Slot {
        std::mutex mutex;
        ValueStatistics statistics;
        bool hasChannels = false; // of some sample
    };
    void record(Slot& slot, std::int64_t sample, const TensorMeasure& measure) const;

    const Measurement& m_wanted;
    SampleSpan m_span;
    std::deque<Slot> m_slots; // [values]
};

} // namespace duo
