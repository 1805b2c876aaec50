// SPDX-License-Identifier: Apache-2.0
// TailRanks: exact quantiles near both ends of a tensor, from its histogram and the few values in its tails.
#pragma once

#include "core/calibrate/measure/log_histogram.h"
#include "core/calibrate/measure/tail_values.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace duo {

/// As numpy.quantile with its default, linear interpolation; 0 for no values.
struct TailQuantiles {
    float low = 0; // at the probability
    float high = 0; // at one minus it
    float magnitude = 0; // of magnitudes, at one minus it
};

class TailRanks
{
public:
    /// @param bins from either end as many as hold needed() elements; @param least and most the exact extremes
    TailRanks(std::span<const BinCount> bins, std::uint64_t total, float least, float most, double probability);
    /// Elements at either end that quantiles of so many depend on.
    static std::uint64_t needed(std::uint64_t total, double probability);

    /// The values it takes: needed() of the smallest ones <= low(), and as many of the largest >= high(); an infinity
    /// where there is no need for any.
    [[nodiscard]] float low() const { return m_low; }
    [[nodiscard]] float high() const { return m_high; }
    /// @param tails those values, reordered here
    [[nodiscard]] TailQuantiles quantiles(TailValues& tails) const;

private:
    /// The rank-th value, counted from the end the quantile lies at.
    struct Target {
        std::uint64_t rank = 0;
        bool isKnown = false;
        float value = 0; // if known
    };
    /// Interpolated between two neighbouring ranks.
    struct Quantile {
        std::array<Target, 2> targets; // nearer the end first
        double share = 0; // of the way from the first target to the second
    };
    struct Bin {
        std::uint64_t count;
        int magnitude; // bin without sign
        bool isNegative;
        bool allEqual;
    };
    /// Ranks from the end that `next` begins at, a bin a call; @return the bin of the last target that is not known;
    /// its magnitude is -1 if all are
    template <typename Next>
    static Bin locate(Quantile& quantile, const Next& next, double probability, std::uint64_t total);
    static float resolve(const Quantile& quantile, std::vector<float>& values, bool largestFirst);

    Quantile m_lowest;
    Quantile m_highest;
    Quantile m_magnitudes;
    float m_low;
    float m_high;
};

} // namespace duo
