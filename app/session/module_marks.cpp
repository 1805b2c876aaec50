// SPDX-License-Identifier: Apache-2.0
#include "app/session/module_marks.h"

#include <utility>

namespace duo::app {

ModuleMarks::ModuleMarks(QObject* parent)
    : QObject(parent)
    , m_job(
          m_pool, *this, [this] { return work(); },
          [this](Result<Made>&& result, bool isStale) {
              if (isStale || !result)
                  return;
              m_made = *std::move(result);
              Q_EMIT changed();
          })
{
    m_pool.setMaxThreadCount(1);
}

ModuleMarks::~ModuleMarks()
{
    m_job.stop();
    m_pool.waitForDone();
}

bool ModuleMarks::isCurrent() const
{
    return m_made && m_snapshot && m_made->scopes == m_snapshot->scopes && m_made->marks == m_marks;
}

std::shared_ptr<const MarkedModules> ModuleMarks::modules() const
{
    return isWanted() && m_made && m_made->scopes == m_snapshot->scopes ? m_made : nullptr;
}

void ModuleMarks::setSnapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    const bool isSame = snapshot && m_snapshot && snapshot->scopes == m_snapshot->scopes;
    m_snapshot = snapshot;
    if (!isSame)
        look();
}

void ModuleMarks::setMarks(const std::vector<Mark>& marks)
{
    if (marks == m_marks)
        return;
    m_marks = marks;
    look();
}

void ModuleMarks::setWanted(bool isWanted)
{
    if (std::exchange(m_isWanted, isWanted) != isWanted)
        look();
}

void ModuleMarks::look()
{
    const bool isMissing = isWanted() && !isCurrent();
    if (isMissing)
        m_job.run();
    if (!isMissing || !modules())
        Q_EMIT changed();
}

LatestJob<ModuleMarks::Made>::Work ModuleMarks::work() const
{
    if (!isWanted())
        return {};
    return [snapshot = m_snapshot, marks = m_marks, before = m_made](const JobContext&) -> Result<Made> {
        return std::make_shared<const MarkedModules>(
            markedModules(*snapshot->model, snapshot->scopes, snapshot->sources(), marks, before.get()));
    };
}

} // namespace duo::app
