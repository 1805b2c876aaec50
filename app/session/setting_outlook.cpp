// SPDX-License-Identifier: Apache-2.0
#include "app/session/setting_outlook.h"

#include <utility>

namespace duo::app {

SettingOutlook::SettingOutlook(QObject* parent)
    : QObject(parent)
    , m_job(
          m_pool, *this, [this] { return work(); },
          [this](Result<Effects>&& result, bool isStale) { finish(std::move(result), isStale); })
{
    m_pool.setMaxThreadCount(1);
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPause);
    connect(&m_pause, &QTimer::timeout, this, [this] { m_job.run(); });
}

SettingOutlook::~SettingOutlook()
{
    m_job.stop();
    m_pool.waitForDone();
}

void SettingOutlook::setSnapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    if (snapshot == m_snapshot)
        return;
    m_snapshot = snapshot;
    m_next = 0;
    m_job.stop();
    m_pause.start();
}

void SettingOutlook::setWanted(bool isWanted)
{
    if (std::exchange(m_isWanted, isWanted) == isWanted)
        return;
    if (!isWanted)
        m_job.stop();
    else if (!m_pause.isActive())
        m_job.run();
}

LatestJob<SettingOutlook::Effects>::Work SettingOutlook::work()
{
    if (!m_isWanted || m_pause.isActive() || !m_snapshot || !m_snapshot->placement || m_next >= settingTable().size())
        return {};
    return [snapshot = m_snapshot, setting = &settingTable()[m_next]](
               const JobContext& job) { return settingEffects(*snapshot, *setting, job); };
}

/// A setting that nothing can be said of is passed over.
void SettingOutlook::finish(Result<Effects>&& result, bool isStale)
{
    if (isStale || m_pause.isActive() || (!result && result.error().code == ErrorCode::Cancelled))
        return;
    const Setting* setting = &settingTable()[m_next++];
    if (result)
        Q_EMIT found(setting, *result);
    if (!m_job.isRunning())
        m_job.run();
}

} // namespace duo::app
