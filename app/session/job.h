// SPDX-License-Identifier: Apache-2.0
// startJob: one background call. Stopping goes through the stop token, so a job always ends in exactly one Result.
#pragma once

#include "core/support/handed_over.h"
#include "core/support/job.h"
#include "core/support/result.h"

#include <QMetaObject>
#include <QObject>
#include <QRunnable>
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

/// What one thread makes and another calls: it goes through Qt, whose own locks a thread sanitizer does not see. Kept
/// where it was made, moved or copied last.
template <typename Call> class HandedCall
{
public:
    explicit HandedCall(Call call)
        : m_call(std::move(call))
    {
        handOver(this);
    }
    HandedCall(const HandedCall& other)
        : m_call(other.m_call)
    {
        handOver(this);
    }
    HandedCall(HandedCall&& other) noexcept
        : m_call(std::move(other.m_call))
    {
        handOver(this);
    }
    HandedCall& operator=(const HandedCall&) = delete;
    HandedCall& operator=(HandedCall&&) = delete;
    ~HandedCall() { takeOver(this); }

    void operator()()
    {
        takeOver(this);
        m_call();
        handOver(this); // the other thread may be the last to let it go
    }

private:
    Call m_call;
};

template <typename Call> class HandedRun final : public QRunnable
{
public:
    explicit HandedRun(Call call)
        : m_call(std::move(call))
    {
    }
    void run() override { m_call(); }

private:
    HandedCall<Call> m_call;
};

/// Runs `work(JobContext)` -> Result<T> on the pool. `report` is called from worker threads; `end(Result<T>&&)` in the
/// thread of `receiver`, by an event of its own: never inside this call. Not a continuation of QFuture: Qt 6.4 runs one
/// twice where it is set just as the work ends, and crashes.
/// @param receiver outlives what the pool runs
template <typename T, typename Work, typename End>
std::stop_source startJob(
    QThreadPool& pool, QObject& receiver, Work work, std::function<void(const Progress&)> report, End end)
{
    std::stop_source stop;
    auto run = [&receiver, work = std::move(work), report = std::move(report), end = std::move(end),
                   token = stop.get_token()] {
        auto result = std::make_shared<Result<T>>(resultOf<T>(work, JobContext{token, report}));
        QMetaObject::invokeMethod(&receiver, HandedCall([end, result = std::move(result)] { end(std::move(*result)); }),
            Qt::QueuedConnection);
    };
    pool.start(new HandedRun(std::move(run))); // which the pool deletes
    return stop;
}

} // namespace duo::app
