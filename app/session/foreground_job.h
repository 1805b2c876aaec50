// SPDX-License-Identifier: Apache-2.0
// ForegroundJob: the one job the user waits for. Stopping it is quick: what cannot be interrupted at once, such as the
// engine opening a model, is left to end unheard.
#pragma once

#include "app/session/job.h"

#include <QObject>
#include <QTimer>

#include <cstdint>

namespace duo::app {

/// Whether a job that was stopped may still be at work when its end is reported: not while it writes files.
enum class Stopping { LeavesIt, WaitsForIt };

class ForegroundJob : public QObject
{
    Q_OBJECT

public:
    explicit ForegroundJob(QObject* parent = nullptr);
    ~ForegroundJob() override; // stops what runs and waits for it

    /// Stops the one before, whose end is not reported. `done(Result<T>&&)` is called on this thread once it handles
    /// events again, unless another job is started first; with Cancelled after a stop.
    template <typename T, typename Work, typename Done> void start(Work work, Done done, Stopping stopping)
    {
        m_stop.request_stop();
        m_patience.stop();
        ++m_generation;
        m_isRunning = true;
        m_mayLeave = stopping == Stopping::LeavesIt;
        const auto end = [this, generation = m_generation, done = std::move(done)](Result<T>&& result) {
            if (generation != m_generation || !m_isRunning)
                return;
            m_isRunning = false;
            m_patience.stop();
            done(std::move(result));
        };
        m_leave = [end] { end(cancelledError()); };
        m_stop = startJob<T>(m_pool, *this, std::move(work), reporter(), end);
    }

    /// The end is reported soon, where the job may be left.
    void stop();

Q_SIGNALS:
    void progressed(const duo::Progress& progress);

private:
    [[nodiscard]] std::function<void(const Progress&)> reporter();

    QThreadPool m_pool;
    QTimer m_patience; // with a job that was stopped
    std::stop_source m_stop;
    std::function<void()> m_leave;
    std::uint64_t m_generation = 0; // results of older ones are dropped
    bool m_isRunning = false;
    bool m_mayLeave = true;
};

} // namespace duo::app
