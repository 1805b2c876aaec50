// SPDX-License-Identifier: Apache-2.0
// FunctionOutlook: what modules would be as functions, found in the background, and the model written with them.
#pragma once

#include "app/session/latest_job.h"
#include "core/outline/plan_outline.h"
#include "core/pipeline/snapshot/snapshot.h"

#include <QObject>
#include <QThreadPool>

#include <filesystem>
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
    /// Reads the snapshot's model and checkpoint anew and writes the model with functions; written() or failed()
    /// follows.
    void write(const Snapshot& snapshot, const OutlineRequest& request, const std::filesystem::path& target);

Q_SIGNALS:
    void planned(const std::shared_ptr<const duo::OutlinePlan>& plan);
    void notPlanned(const duo::Error& error);
    void written(const std::filesystem::path& target, const std::shared_ptr<const duo::OutlinePlan>& plan);
    void failed(const duo::Error& error);

private:
    using Plan = std::shared_ptr<const OutlinePlan>;

    QThreadPool m_pool;
    std::shared_ptr<const Snapshot> m_snapshot;
    OutlineRequest m_request;
    LatestJob<Plan> m_job;
    std::stop_source m_stopWriting;
};

} // namespace duo::app
