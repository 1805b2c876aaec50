// SPDX-License-Identifier: Apache-2.0
// LatestJob: work of which only the newest state of things counts. One runs at a time; what changes while it runs stops
// it where it listens, and it runs once more, however often there was a change.
#pragma once

#include "app/session/job.h"

#include <QObject>

#include <functional>
#include <memory>
#include <utility>

namespace duo::app {

template <typename T> class LatestJob
{
public:
    using Work = std::function<Result<T>(const JobContext&)>;

    /// @param pool waited for by its owner before this goes; @param receiver has the thread both are called in
    /// @param begin what to do as things stand, asked as the work starts; an empty function: nothing
    /// @param end hears each result; `isStale`: things changed meanwhile, and it runs once more
    LatestJob(QThreadPool& pool, QObject& receiver, std::function<Work()> begin,
        std::function<void(Result<T>&& result, bool isStale)> end)
        : m_pool(pool)
        , m_receiver(receiver)
        , m_begin(std::move(begin))
        , m_end(std::move(end))
    {
    }
    ~LatestJob() { stop(); }
    LatestJob(const LatestJob&) = delete;
    LatestJob& operator=(const LatestJob&) = delete;

    /// What the work is made from has changed. No result arrives before this returns.
    void run()
    {
        m_stop.request_stop();
        if (m_isRunning)
            m_isStale = true;
        else
            start();
    }

    /// What runs ends soon, with Cancelled where it listens; it does not run once more, whatever changed before.
    void stop()
    {
        m_stop.request_stop();
        m_isStale = false;
    }
    [[nodiscard]] bool isRunning() const { return m_isRunning; }

private:
    void start()
    {
        Work work = m_begin();
        if (!work)
            return;
        m_isRunning = true;
        m_stop = startJob<T>(m_pool, m_receiver, std::move(work), {}, [this](Result<T>&& r) { finish(std::move(r)); });
    }

    void finish(Result<T>&& result)
    {
        m_isRunning = false;
        const bool isStale = std::exchange(m_isStale, false);
        m_end(std::move(result), isStale);
        if (isStale && !m_isRunning) // `end` may have asked for it
            start();
    }

    QThreadPool& m_pool;
    QObject& m_receiver;
    std::function<Work()> m_begin;
    std::function<void(Result<T>&&, bool)> m_end;
    std::stop_source m_stop;
    bool m_isRunning = false;
    bool m_isStale = false; // things changed while it ran
};

} // namespace duo::app
