// SPDX-License-Identifier: Apache-2.0
#include "core/content/scale_fit.h"

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

/// Per channel the sums of a least squares fit of one factor.
struct FactorSums {
    double dot = 0;
    double square = 0;

    void add(float own, float stored)
    {
        dot += static_cast<double>(own) * static_cast<double>(stored);
        square += static_cast<double>(stored) * static_cast<double>(stored);
    }
    [[nodiscard]] double factor() const { return square > 0 ? dot / square : 0; }
};

/// Nothing if it was stopped.
template <typename Counts>
std::optional<std::vector<FactorSums>> sumsOf(const WantedValues& wanted, std::span<const float> stored,
    const ChannelView& view, const JobContext& job, const Counts& counts)
{
    std::vector<FactorSums> sums(static_cast<std::size_t>(view.allChannels()));
    const auto own = wanted.all();
    const bool isDone = forEachRun(view, job, [&](std::size_t channel, std::size_t at, std::size_t count) {
        FactorSums ofRun;
        for (std::size_t i = at; i < at + count; ++i) {
            if (counts(i))
                ofRun.add(own[i], stored[i]);
        }
        sums[channel].dot += ofRun.dot;
        sums[channel].square += ofRun.square;
        return true;
    });
    if (!isDone)
        return std::nullopt;
    return sums;
}

std::optional<ScaleFit> leastSquares(
    const WantedValues& wanted, std::span<const float> stored, const ChannelView& view, const JobContext& job)
{
    const auto sums = sumsOf(wanted, stored, view, job, [](std::size_t) { return true; });
    if (!sums)
        return std::nullopt;
    ScaleFit fit;
    fit.first = sums->size();
    for (std::size_t c = 0; c < sums->size(); ++c) {
        fit.squares.push_back((*sums)[c].square);
        fit.factors.push_back((*sums)[c].factor());
        if (!std::isfinite(fit.factors[c]))
            return std::nullopt;
        if (fit.first == sums->size() && fit.factors[c] != 0)
            fit.first = c;
    }
    if (fit.first == sums->size())
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

/// Channels that do not fit get the factor of what is surely not clipped. @return false if it was stopped
bool fitUnclipped(const WantedValues& wanted, std::span<const float> stored, const ChannelView& view,
    const JobContext& job, ScaleFit& fit)
{
    const auto sums
        = sumsOf(wanted, stored, view, job, [&](std::size_t element) { return !wanted.mayBeClipped(element); });
    if (!sums)
        return false;
    std::vector<bool> isWrong(sums->size(), false);
    forEachRun(view, job, [&](std::size_t channel, std::size_t at, std::size_t count) {
        for (std::size_t i = at; i < at + count && !isWrong[channel]; ++i) {
            const float expected = stored[i] * static_cast<float>(fit.factors[channel]);
            isWrong[channel] = !wanted.mayBe(i, {&expected, 1}, 1.0);
        }
        return true;
    });
    for (std::size_t c = 0; c < isWrong.size(); ++c) {
        if (isWrong[c] && (*sums)[c].square > 0)
            fit.factors[c] = (*sums)[c].factor();
    }
    return true;
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
    const auto fits = [&] {
        return everyElementMayBe(
            wanted, stored, view, std::vector<float>(fit->factors.begin(), fit->factors.end()), 1.0, job);
    };
    if (fits() || (wanted.isQuantized() && fitUnclipped(wanted, stored, view, job, *fit) && fits()))
        return fit;
    return std::nullopt;
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
