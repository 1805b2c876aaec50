// SPDX-License-Identifier: Apache-2.0
// SettingOutlook: what other values of each setting would change, found in the background, setting by setting.
#pragma once

#include "app/session/latest_job.h"
#include "core/pipeline/sensitivity/setting_effects.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <chrono>
#include <memory>
#include <vector>

namespace duo::app {

class SettingOutlook : public QObject
{
    Q_OBJECT

public:
    static constexpr std::chrono::milliseconds kPause{400}; // trees and graph of an edit come first

    explicit SettingOutlook(QObject* parent = nullptr);
    ~SettingOutlook() override; // stops what runs and waits for it

    /// Begins anew for another one, kPause after the last that came; null: for none.
    void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    /// Somebody looks. Nothing is computed while nobody does; what was found is kept.
    void setWanted(bool isWanted);

Q_SIGNALS:
    void found(const duo::Setting* setting, const std::vector<duo::SettingEffect>& effects);

private:
    using Effects = std::vector<SettingEffect>;
    [[nodiscard]] LatestJob<Effects>::Work work();
    void finish(Result<Effects>&& result, bool isStale);

    QThreadPool m_pool;
    std::shared_ptr<const Snapshot> m_snapshot;
    std::size_t m_next = 0; // of the table: found next
    bool m_isWanted = false;
    QTimer m_pause;
    LatestJob<Effects> m_job;
};

} // namespace duo::app
