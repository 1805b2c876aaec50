// SPDX-License-Identifier: Apache-2.0
#include "core/scope/content/scaled/scale_fit.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace duo {
namespace {

constexpr std::int64_t kMostSampled = 64;

/// Calls visit(channel, first element, elements) for the runs of one channel that lie together, in memory order, until
/// it returns false. @return whether all were visited
template <typename Visit> bool forEachRun(const ChannelView& view, const JobContext& job, const Visit& visit)
{
    constexpr std::size_t kCheckEvery = std::size_t{1} << 20; // elements
    const auto run = static_cast<std::size_t>(view.inner);
    std::size_t at = 0;
    std::size_t nextCheck = 0;
    for (std::int64_t row = 0; row < view.groups * view.outer; ++row) {
        const auto firstChannel = static_cast<std::size_t>(row / view.outer * view.channels);
        for (std::size_t c = 0; c < static_cast<std::size_t>(view.channels); ++c, at += run) {
            if (at >= nextCheck) {
                nextCheck = at + kCheckEvery;
                if (job.stopped())
                    return false;
            }
            if (!visit(firstChannel + c, at, run))
                return false;
        }
    }
    return true;
}

/// Whether the first elements of a channel point the same way; cheap, and wrong for no related tensors.
bool lookRelated(const WantedValues& wanted, std::span<const float> stored, const ChannelView& view)
{
    double dot = 0;
    double ofWanted = 0;
    double ofStored = 0;
    const std::int64_t channel = view.allChannels() / 2;
    for (std::int64_t i = 0; i < std::min(view.perChannel(), kMostSampled); ++i) {
        const double t = wanted.all()[view.at(channel, i)];
        const double x = stored[view.at(channel, i)];
        dot += t * x;
        ofWanted += t * t;
        ofStored += x * x;
    }
    if (ofWanted == 0 || ofStored == 0)
        return ofWanted == 0;
    const double least = wanted.isQuantized() ? 0.8 : 0.99;
    return dot * dot >= least * ofWanted * ofStored;
}

std::optional<ScaleFit> leastSquares(
    const WantedValues& wanted, std::span<const float> stored, const ChannelView& view, const JobContext& job)
{
    const auto channels = static_cast<std::size_t>(view.allChannels());
    struct Sums {
        double dot = 0;
        double square = 0;
    };
    std::vector<Sums> all(channels);
    std::vector<Sums> unclipped(wanted.isQuantized() ? channels : 0);
    const auto own = wanted.all();
    const bool isDone = forEachRun(view, job, [&](std::size_t channel, std::size_t at, std::size_t count) {
        Sums sums;
        for (std::size_t i = at; i < at + count; ++i) {
            sums.dot += static_cast<double>(own[i]) * static_cast<double>(stored[i]);
            sums.square += static_cast<double>(stored[i]) * static_cast<double>(stored[i]);
        }
        all[channel].dot += sums.dot;
        all[channel].square += sums.square;
        for (std::size_t i = at; i < at + count && wanted.isQuantized(); ++i) {
            if (!wanted.mayBeClipped(i)) {
                unclipped[channel].dot += static_cast<double>(own[i]) * static_cast<double>(stored[i]);
                unclipped[channel].square += static_cast<double>(stored[i]) * static_cast<double>(stored[i]);
            }
        }
        return true;
    });
    if (!isDone)
        return std::nullopt;
    ScaleFit fit;
    fit.first = channels;
    for (std::size_t c = 0; c < channels; ++c) {
        const Sums& sums = wanted.isQuantized() && unclipped[c].square > 0 ? unclipped[c] : all[c];
        fit.squares.push_back(all[c].square);
        fit.factors.push_back(sums.square > 0 ? sums.dot / sums.square : 0);
        if (!std::isfinite(fit.factors[c]))
            return std::nullopt;
        if (fit.first == channels && fit.factors[c] != 0)
            fit.first = c;
    }
    if (fit.first == channels)
        return std::nullopt; // all zero
    return fit;
}

bool everyElementMayBe(const WantedValues& wanted, std::span<const float> stored, const ChannelView& view,
    std::span<const float> factors, double steps, const JobContext& job)
{
    constexpr std::size_t kBlock = 4096;
    std::vector<float> expected(std::min(kBlock, stored.size()));
    std::size_t filled = 0;
    std::size_t first = 0;
    const auto flush = [&] {
        const bool fits = wanted.mayBe(first, {expected.data(), filled}, steps);
        first += filled;
        filled = 0;
        return fits;
    };
    const bool all = forEachRun(view, job, [&](std::size_t channel, std::size_t at, std::size_t count) {
        for (std::size_t i = at; i < at + count; ++i) {
            expected[filled++] = stored[i] * factors[channel];
            if (filled == expected.size() && !flush())
                return false;
        }
        return true;
    });
    return all && flush();
}

std::int32_t ordered(float value)
{
    const auto bits = std::bit_cast<std::int32_t>(value);
    return bits < 0 ? std::numeric_limits<std::int32_t>::min() - bits : bits;
}

} // namespace

std::optional<ScaleFit> fitScale(
    const WantedValues& wanted, std::span<const float> stored, const ChannelView& view, const JobContext& job)
{
    if (!lookRelated(wanted, stored, view))
        return std::nullopt;
    auto fit = leastSquares(wanted, stored, view, job);
    if (!fit)
        return std::nullopt;
    const std::vector<float> factors(fit->factors.begin(), fit->factors.end());
    if (!everyElementMayBe(wanted, stored, view, factors, 1.0, job))
        return std::nullopt;
    return fit;
}

std::optional<int> distanceFrom(const WantedValues& wanted, std::span<const float> stored, const ChannelView& view,
    std::span<const float> factors, bool isFloat32, const JobContext& job)
{
    if (!isFloat32) {
        if (everyElementMayBe(wanted, stored, view, factors, 0.501, job))
            return 1;
        return std::nullopt;
    }
    std::int64_t worst = 0;
    const auto own = wanted.all();
    const bool isDone = forEachRun(view, job, [&](std::size_t channel, std::size_t at, std::size_t count) {
        std::int64_t worstHere = 0;
        for (std::size_t i = at; i < at + count; ++i) {
            const std::int64_t distance
                = std::int64_t{ordered(own[i])} - std::int64_t{ordered(stored[i] * factors[channel])};
            worstHere = std::max(worstHere, distance < 0 ? -distance : distance);
        }
        worst = std::max(worst, worstHere);
        return worst <= kMostUlps;
    });
    if (!isDone)
        return std::nullopt;
    return static_cast<int>(worst);
}

} // namespace duo
