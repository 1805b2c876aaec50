// SPDX-License-Identifier: Apache-2.0
#include "app/session/retired.h"

#include "app/session/job.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace duo::app {

Retired::Retired(QThreadPool& pool)
    : m_pool(pool)
{
    m_timer.setInterval(std::chrono::milliseconds(200));
    m_timer.callOnTimeout(&m_timer, [this] { freeInPool(); });
}

void Retired::add(std::vector<std::shared_ptr<const void>> parts)
{
    std::move(parts.begin(), parts.end(), std::back_inserter(m_parts));
    std::erase(m_parts, nullptr);
    if (!m_parts.empty())
        m_timer.start();
}

/// What holds another part goes first; that one follows the next time.
void Retired::freeInPool()
{
    const auto alone
        = std::ranges::partition(m_parts, [](const std::shared_ptr<const void>& part) { return part.use_count() > 1; });
    if (!alone.empty()) {
        std::vector<std::shared_ptr<const void>> parts(
            std::make_move_iterator(alone.begin()), std::make_move_iterator(alone.end()));
        m_parts.erase(alone.begin(), m_parts.end());
        m_pool.start(new HandedRun([parts = std::move(parts)]() mutable { parts.clear(); }));
    }
    if (m_parts.empty())
        m_timer.stop();
}

} // namespace duo::app
