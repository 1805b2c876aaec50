// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/tail_ranks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace duo {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

} // namespace

/// Quantile at probability p from the low end: position p (n - 1). From the high end it mirrors: numpy's position
/// (1 - p)(n - 1) lies p (n - 1) before the last value.
TailRanks::Bin TailRanks::locate(Quantile& quantile, std::span<const Bin> bins, double probability, std::uint64_t total)
{
    const double position = probability * static_cast<double>(total - 1);
    const auto first = static_cast<std::uint64_t>(position);
    quantile.share = position - static_cast<double>(first);
    quantile.targets[0].rank = first;
    quantile.targets[1].rank = std::min(first + 1, total - 1);
    Bin last{0, -1, false, true};
    for (Target& target : quantile.targets) {
        std::uint64_t before = 0;
        for (const Bin& bin : bins) {
            before += bin.count;
            if (before <= target.rank)
                continue;
            target.isKnown = bin.allEqual;
            target.value = logbin::lower(bin.magnitude) * (bin.isNegative ? -1.0F : 1.0F);
            if (!target.isKnown)
                last = bin;
            break;
        }
    }
    return last;
}

TailRanks::TailRanks(std::span<const BinCount> bins, std::span<const std::uint64_t> lowBits, double probability)
    : m_low(-kInfinity)
    , m_high(kInfinity)
{
    std::vector<Bin> rising;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        // Bin 0 counts as zero.
        rising.push_back({bins[i].count, std::abs(bins[i].bin), bins[i].bin < 0, bins[i].bin == 0 || lowBits[i] == 0});
        total += bins[i].count;
    }
    if (total == 0) {
        for (Quantile* quantile : {&m_lowest, &m_highest, &m_magnitudes})
            quantile->targets = {Target{0, true, 0}, Target{0, true, 0}};
        return;
    }
    const std::vector<Bin> falling(rising.rbegin(), rising.rend());
    std::vector<Bin> magnitudes;
    std::merge(falling.begin(), std::find_if(falling.begin(), falling.end(), [](const Bin& b) { return b.isNegative; }),
        rising.begin(), std::find_if(rising.begin(), rising.end(), [](const Bin& b) { return !b.isNegative; }),
        std::back_inserter(magnitudes), [](const Bin& a, const Bin& b) { return a.magnitude > b.magnitude; });
    std::vector<Bin> merged;
    for (const Bin& bin : magnitudes) {
        if (!merged.empty() && merged.back().magnitude == bin.magnitude) {
            merged.back().count += bin.count;
            merged.back().allEqual = merged.back().allEqual && bin.allEqual;
        } else {
            merged.push_back({bin.count, bin.magnitude, false, bin.allEqual});
        }
    }
    const Bin low = locate(m_lowest, rising, probability, total);
    const Bin high = locate(m_highest, falling, probability, total);
    const Bin magnitude = locate(m_magnitudes, merged, probability, total);
    // The end of the bin that is farther from the tail, so that the whole bin is asked for.
    const auto inner = [](const Bin& bin, bool fromLow) {
        const bool wantsFar = bin.isNegative != fromLow;
        return logbin::lower(bin.magnitude + (wantsFar ? 1 : 0)) * (bin.isNegative ? -1.0F : 1.0F);
    };
    if (low.magnitude >= 0)
        m_low = inner(low, true);
    if (high.magnitude >= 0)
        m_high = inner(high, false);
    if (magnitude.magnitude >= 0) {
        m_low = std::max(m_low, -logbin::lower(magnitude.magnitude));
        m_high = std::min(m_high, logbin::lower(magnitude.magnitude));
    }
}

bool TailRanks::needsValues() const
{
    return m_low != -kInfinity || m_high != kInfinity;
}

float TailRanks::resolve(const Quantile& quantile, std::vector<float>& values, bool largestFirst)
{
    std::array<double, 2> found{};
    for (std::size_t i = 0; i < 2; ++i) {
        const Target& target = quantile.targets[i];
        found[i] = target.value;
        if (target.isKnown)
            continue;
        const auto nth = values.begin() + static_cast<std::ptrdiff_t>(target.rank);
        if (largestFirst) {
            std::nth_element(values.begin(), nth, values.end(), std::greater<>());
        } else {
            std::nth_element(values.begin(), nth, values.end());
        }
        found[i] = *nth;
    }
    return static_cast<float>(found[0] + (found[1] - found[0]) * quantile.share);
}

TailQuantiles TailRanks::quantiles(std::vector<float>& tails) const
{
    TailQuantiles result;
    result.low = resolve(m_lowest, tails, false);
    result.high = resolve(m_highest, tails, true);
    for (float& value : tails)
        value = std::abs(value);
    result.magnitude = resolve(m_magnitudes, tails, true);
    return result;
}

} // namespace duo
