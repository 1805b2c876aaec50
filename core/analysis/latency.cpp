// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/latency.h"

#include "core/engine/engine_process.h"
#include "core/support/linear_quantile.h"

#include <algorithm>
#include <chrono>

namespace duo {
namespace {

using Clock = std::chrono::steady_clock;

/// Processor time of the engine, which others on the machine hardly change. The run has one thread: where more passes
/// than time, other runs are counted, or it is not told.
Result<double> runMilliseconds(const Session& session, std::span<const HostTensor> feeds, const JobContext& job)
{
    const auto ignore = [](std::size_t, const TensorView&) { return success(); };
    const auto usedBefore = engineTime();
    const auto start = Clock::now();
    DUO_CHECK(session.runVisiting(feeds, {}, ignore, job));
    const double passed = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    const double used = (engineTime() - usedBefore).count();
    return used > 0 && used < passed ? used : passed;
}

struct Times {
    std::vector<double> a;
    std::vector<double> b;
};

Result<Times> runInTurns(const SessionPair& sessions, std::span<const HostTensor> feeds, Clock::duration howLong,
    std::size_t leastRuns, const JobContext& job)
{
    Times times;
    const auto end = Clock::now() + howLong;
    do {
        DUO_TRY(a, runMilliseconds(sessions.a, feeds, job));
        DUO_TRY(b, runMilliseconds(sessions.b, feeds, job));
        times.a.push_back(a);
        times.b.push_back(b);
    } while (Clock::now() < end || times.a.size() < leastRuns);
    return times;
}

} // namespace

Result<Latency> measureLatency(
    const SessionPair& sessions, std::span<const HostTensor> feeds, const LatencyBudget& budget, const JobContext& job)
{
    if (budget.warmUp.count() > 0)
        DUO_CHECK(runInTurns(sessions, feeds, budget.warmUp, 1, job));
    const auto least = static_cast<std::size_t>(std::max(1, budget.leastRuns));
    DUO_TRY(times, runInTurns(sessions, feeds, budget.measured, least, job));
    std::ranges::sort(times.a);
    std::ranges::sort(times.b);
    constexpr double kMost = 0.9;
    return Latency{upperMedian(times.a), upperMedian(times.b), 1, static_cast<int>(times.a.size()), times.a.front(),
        times.b.front(), linearQuantile(times.a, kMost), linearQuantile(times.b, kMost)};
}

} // namespace duo
