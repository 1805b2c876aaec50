// SPDX-License-Identifier: Apache-2.0
// ModuleMarks: what the marks wanted come to on the model that is open, found in the background.
#pragma once

#include "app/session/latest_job.h"
#include "core/marks/marked_modules.h"
#include "core/pipeline/snapshot/snapshot.h"

#include <QObject>
#include <QThreadPool>

#include <memory>
#include <vector>

namespace duo::app {

class ModuleMarks : public QObject
{
    Q_OBJECT

public:
    explicit ModuleMarks(QObject* parent = nullptr);
    ~ModuleMarks() override; // stops what runs and waits for it

    void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    void setMarks(const std::vector<Mark>& marks);
    /// Somebody marks. Without it, and without marks, nothing is computed.
    void setWanted(bool isWanted);

    /// Of the scopes that were last set; the marks may lag behind. Null while they are looked for, or nothing is
    /// wanted.
    [[nodiscard]] std::shared_ptr<const MarkedModules> modules() const;

Q_SIGNALS:
    void changed(); // modules() is another one, or none

private:
    using Made = std::shared_ptr<const MarkedModules>;
    [[nodiscard]] bool isWanted() const { return m_snapshot && (m_isWanted || !m_marks.empty()); }
    [[nodiscard]] bool isCurrent() const;
    [[nodiscard]] LatestJob<Made>::Work work() const;
    void look();

    QThreadPool m_pool;
    std::shared_ptr<const Snapshot> m_snapshot;
    std::vector<Mark> m_marks;
    bool m_isWanted = false;
    Made m_made; // last
    LatestJob<Made> m_job;
};

} // namespace duo::app
