// SPDX-License-Identifier: Apache-2.0
// FunctionOutlook: what modules would be as functions, found in the background.
#pragma once

#include "app/session/latest_job.h"
#include "core/outline/plan_outline.h"
#include "core/pipeline/snapshot/snapshot.h"

#include <QObject>
#include <QThreadPool>

#include <memory>

namespace duo::app {

class FunctionOutlook : public QObject
{
    Q_OBJECT

public:
    explicit FunctionOutlook(QObject* parent = nullptr);
    ~FunctionOutlook() override; // stops what runs and waits for it

    /// Of what was asked for last; planned() or notPlanned() follows.
    void look(const std::shared_ptr<const Snapshot>& snapshot, const OutlineRequest& request);

Q_SIGNALS:
    void planned(const std::shared_ptr<const duo::OutlinePlan>& plan);
    void notPlanned(const duo::Error& error);

private:
    using Plan = std::shared_ptr<const OutlinePlan>;

    QThreadPool m_pool;
    std::shared_ptr<const Snapshot> m_snapshot;
    OutlineRequest m_request;
    LatestJob<Plan> m_job;
};

} // namespace duo::app
