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
    m_job.run();
}

void SettingOutlook::setWanted(bool isWanted)
{
    if (std::exchange(m_isWanted, isWanted) == isWanted)
        return;
    if (isWanted)
        m_job.run();
    else
        m_job.stop();
}

LatestJob<SettingOutlook::Effects>::Work SettingOutlook::work()
{
    if (!m_isWanted || !m_snapshot || !m_snapshot->placement || m_next >= settingTable().size())
        return {};
    return [snapshot = m_snapshot, setting = &settingTable()[m_next]](
               const JobContext& job) { return settingEffects(*snapshot, *setting, job); };
}

/// A setting that nothing can be said of is passed over.
void SettingOutlook::finish(Result<Effects>&& result, bool isStale)
{
    if (isStale || (!result && result.error().code == ErrorCode::Cancelled))
        return;
    const Setting* setting = &settingTable()[m_next++];
    if (result)
        Q_EMIT found(setting, *result);
    if (!m_job.isRunning())
        m_job.run();
}

} // namespace duo::app
