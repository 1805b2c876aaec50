// SPDX-License-Identifier: Apache-2.0
#include "core/engine/run_limit.h"

#include <string>

namespace duo {

RunLimit::RunLimit(const JobContext& outer, std::chrono::seconds most)
    : m_most(most)
    , m_outer(outer.stop, [this] { m_stop.request_stop(); })
    , m_job{m_stop.get_token(), outer.report}
    , m_clock([this](const std::stop_token& ended) {
        std::unique_lock lock(m_mutex);
        m_wait.wait_for(lock, ended, m_most, [] { return false; });
        if (ended.stop_requested())
            return;
        m_isOver = true;
        m_stop.request_stop();
    })
{
}

Status RunLimit::ended(Status run, std::int64_t sample) const
{
    if (run || !m_isOver)
        return run;
    return Error{ErrorCode::EngineFailed, "the engine ran longer than " + std::to_string(m_most.count()) + " s",
        "sample " + std::to_string(sample),
        "allow more with --sample-time, or give smaller samples; a loop of the model may never end"};
}

} // namespace duo
