// SPDX-License-Identifier: Apache-2.0
#include "app/session/foreground_job.h"

#include <QElapsedTimer>

namespace duo::app {
namespace {

constexpr int kAtOnce = 2; // the present one, and one that was left and takes its time to end
constexpr int kPatienceMs = 60; // Stop may take 200, on a busy machine too
constexpr qint64 kReportMs = 30; // progress of one stage is passed on at most this often

} // namespace

ForegroundJob::ForegroundJob(QObject* parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(kAtOnce);
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        const auto leave = m_leave; // which may start another job
        if (m_isRunning)
            leave();
    });
}

ForegroundJob::~ForegroundJob()
{
    m_stop.request_stop();
    m_pool.waitForDone();
}

void ForegroundJob::stop()
{
    m_stop.request_stop();
    if (m_isRunning && m_mayLeave && !m_patience.isActive())
        m_patience.start();
}

std::function<void(const Progress&)> ForegroundJob::reporter()
{
    struct Last {
        QElapsedTimer timer;
        std::string stage;
    };
    auto last = std::make_shared<Last>();
    // Called from worker threads, one call at a time. `this` outlives the jobs: the destructor waits for them.
    return [this, last, generation = m_generation](const Progress& progress) {
        const bool isNews = !last->timer.isValid() || last->stage != progress.stage || progress.done == progress.total
            || last->timer.elapsed() >= kReportMs;
        if (!isNews)
            return;
        last->timer.start();
        last->stage = progress.stage;
        QMetaObject::invokeMethod(this, HandedCall([this, generation, progress] {
            if (generation == m_generation && m_isRunning)
                Q_EMIT progressed(progress);
        }));
    };
}

} // namespace duo::app
