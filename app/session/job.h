// SPDX-License-Identifier: Apache-2.0
// startJob: one background call. Stopping goes through the stop token, so a job always ends in exactly one Result.
#pragma once

#include "core/support/job.h"
#include "core/support/result.h"

#include <QFuture>
#include <QThreadPool>
#include <QtConcurrent>

#include <exception>
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

namespace duo::app {

template <typename T> struct Job {
    QFuture<std::shared_ptr<Result<T>>> future; // never cancelled: QFuture::cancel would leave it without a result
    std::stop_source stop;
};

/// Runs `work(JobContext)` -> Result<T> on the pool. `report` is called from worker threads.
template <typename T, typename Work>
Job<T> startJob(QThreadPool& pool, Work work, std::function<void(const Progress&)> report)
{
    Job<T> job;
    const auto token = job.stop.get_token();
    job.future = QtConcurrent::run(&pool, [work = std::move(work), report = std::move(report), token] {
        if (token.stop_requested()) // while it waited for a thread
            return std::make_shared<Result<T>>(cancelledError());
        try {
            return std::make_shared<Result<T>>(work(JobContext{token, report}));
        } catch (const std::exception& exception) { // last resort: a job must not end the program
            return std::make_shared<Result<T>>(Error{ErrorCode::Internal, exception.what(), {}, {}});
        }
    });
    return job;
}

} // namespace duo::app
