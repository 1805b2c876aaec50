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
template <typename Next>
TailRanks::Bin TailRanks::locate(Quantile& quantile, const Next& next, double probability, std::uint64_t total)
{
    const double position = probability * static_cast<double>(total - 1);
    const auto first = static_cast<std::uint64_t>(position);
    quantile.share = position - static_cast<double>(first);
    quantile.targets[0].rank = first;
    quantile.targets[1].rank = std::min(first + 1, total - 1);
    Bin last{0, -1, false, true};
    std::uint64_t before = 0;
    for (std::size_t found = 0; found < quantile.targets.size();) {
        const Bin bin = next();
        before += bin.count;
        for (; found < quantile.targets.size() && before > quantile.targets[found].rank; ++found) {
            Target& target = quantile.targets[found];
            target.isKnown = bin.allEqual;
            target.value = logbin::lower(bin.magnitude) * (bin.isNegative ? -1.0F : 1.0F);
            if (!target.isKnown)
                last = bin;
        }
    }
    return last;
}

std::uint64_t TailRanks::needed(std::uint64_t total, double probability)
{
    return total == 0 ? 0 : static_cast<std::uint64_t>(probability * static_cast<double>(total - 1)) + 2;
}

TailRanks::TailRanks(std::span<const BinCount> bins, std::uint64_t total, float least, float most, double probability)
    : m_low(-kInfinity)
    , m_high(kInfinity)
{
    if (total == 0) {
        for (Quantile* quantile : {&m_lowest, &m_highest, &m_magnitudes})
            quantile->targets = {Target{0, true, 0}, Target{0, true, 0}};
        return;
    }
    const auto at = [&](std::size_t i) { // bin 0 counts as zero
        const int magnitude = std::abs(bins[i].bin);
        const float near
            = logbin::lower(magnitude); // all equal, as what saturates is: the outermost value is the nearest
        const bool allEqual = (i == 0 && bins[i].bin < 0 && least == -near)
            || (i + 1 == bins.size() && bins[i].bin > 0 && most == near) || bins[i].bin == 0;
        return Bin{bins[i].count, magnitude, bins[i].bin < 0, allEqual};
    };
    std::size_t rising = 0;
    const Bin low = locate(
        m_lowest, [&] { return at(rising++); }, probability, total);
    std::size_t falling = bins.size();
    const Bin high = locate(
        m_highest, [&] { return at(--falling); }, probability, total);
    // From both ends towards zero, the larger magnitude first, both signs of one together.
    std::size_t left = 0;
    std::size_t right = bins.size();
    const auto byMagnitude = [&] {
        const int below = left < right && bins[left].bin < 0 ? -bins[left].bin : -1;
        const int above = left < right && bins[right - 1].bin >= 0 ? bins[right - 1].bin : -1;
        Bin bin = below > above ? at(left++) : at(--right);
        bin.isNegative = false;
        if (below == above) {
            const Bin other = at(left++);
            bin.count += other.count;
            bin.allEqual = bin.allEqual && other.allEqual;
        }
        return bin;
    };
    const Bin magnitude = locate(m_magnitudes, byMagnitude, probability, total);
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

TailQuantiles TailRanks::quantiles(TailValues& tails) const
{
    TailQuantiles result;
    result.low = resolve(m_lowest, tails.smallest(), false);
    result.high = resolve(m_highest, tails.largest(), true);
    std::vector<float> magnitudes;
    for (const float value : tails.smallest()) {
        if (value < 0)
            magnitudes.push_back(-value);
    }
    for (const float value : tails.largest()) {
        if (value >= 0)
            magnitudes.push_back(value);
    }
    result.magnitude = resolve(m_magnitudes, magnitudes, true);
    return result;
}

} // namespace duo
