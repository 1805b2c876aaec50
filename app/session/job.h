// SPDX-License-Identifier: Apache-2.0
// startJob: one background call. Stopping goes through the stop token, so a job always ends in exactly one Result.
#pragma once

#include "core/support/job.h"
#include "core/support/result.h"

#include <QMetaObject>
#include <QObject>
#include <QThreadPool>

#include <exception>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

namespace duo::app {

/// `work` with `job`; Cancelled where it was stopped while it waited for a thread.
template <typename T, typename Work> Result<T> resultOf(const Work& work, const JobContext& job)
{
    if (job.stop.stop_requested())
        return cancelledError();
    try {
        return work(job);
    } catch (const std::exception& exception) { // last resort: a job must not end the program
        return Error{ErrorCode::Internal, exception.what(), {}, {}};
    }
}

/// Runs `work(JobContext)` -> Result<T> on the pool. `report` is called from worker threads; `end(Result<T>&&)` in the
/// thread of `receiver`, by an event of its own: never inside this call. Not a continuation of QFuture: Qt 6.4 runs one
/// twice where it is set just as the work ends, and crashes.
/// @param receiver outlives what the pool runs
template <typename T, typename Work, typename End>
std::stop_source startJob(
    QThreadPool& pool, QObject& receiver, Work work, std::function<void(const Progress&)> report, End end)
{
    std::stop_source stop;
    const auto run = [&receiver, work = std::move(work), report = std::move(report), end = std::move(end),
                         token = stop.get_token()] {
        const auto result = std::make_shared<Result<T>>(resultOf<T>(work, JobContext{token, report}));
        QMetaObject::invokeMethod(
            &receiver, [end, result] { end(std::move(*result)); }, Qt::QueuedConnection);
    };
    pool.start(run);
    return stop;
}

} // namespace duo::app
