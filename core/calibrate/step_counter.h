// SPDX-License-Identifier: Apache-2.0
// StepCounter: tells how far the runs of a stage are, whatever thread they end on.
#pragma once

#include "core/support/job.h"

#include <mutex>
#include <utility>

namespace duo {

/// Counts the steps of a stage from several threads; tells one at a time, first of all that none is done.
class StepCounter
{
public:
    StepCounter(std::string stage, std::int64_t total, const JobContext& job)
        : m_progress{std::move(stage), 0, total}
        , m_job(job)
    {
        m_job.tell(m_progress);
    }
    void countOne()
    {
        const std::lock_guard lock(m_mutex);
        ++m_progress.done;
        m_job.tell(m_progress);
    }

private:
    Progress m_progress;
    const JobContext& m_job;
    std::mutex m_mutex;
};

} // namespace duo
