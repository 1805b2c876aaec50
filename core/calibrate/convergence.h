// SPDX-License-Identifier: Apache-2.0
// Convergence: whether more samples still change scales. Looked at after whole rounds in sample order, so the answer
// does not depend on threads.
#pragma once

#include "core/calibrate/measure/statistics.h"

#include <span>
#include <vector>

namespace duo {

class Convergence
{
public:
    static constexpr std::int64_t kRound = 4; // samples between looks
    static constexpr std::int64_t kBatch = 16; // samples measured at once, several rounds; measuring ends with a batch
    static constexpr int kQuietRounds = 3; // in a row, after which measuring stops
    static constexpr double kLimit = 0.005; // a round is quiet if every scale changed by less than this share of it

    explicit Convergence(std::size_t values)
        : m_seen(values)
    {
    }
    /// A round of samples is done. @param extremes per value: min and max of every sample of the round, min > max where
    /// a sample has no finite element; shorter if there was no sample
    struct RoundExtremes {
        std::span<const float> min;
        std::span<const float> max;
    };
    void addRound(std::span<const RoundExtremes> values);
    [[nodiscard]] bool reached() const { return m_quiet >= kQuietRounds; }

private:
    /// The scale is that of NNCF's default estimator, whatever is chosen later: mean of the samples' extremes.
    struct Seen {
        double min = 0; // sums
        double max = 0;
        std::int64_t samples = 0;
        double width = 0; // of the range after the last round; a scale is a fixed share of it
    };
    std::vector<Seen> m_seen;
    int m_quiet = 0;
};

} // namespace duo
