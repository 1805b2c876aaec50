// SPDX-License-Identifier: Apache-2.0
// RunLimit: how long the engine may run one sample; a model can hold a loop that never ends.
#pragma once

#include "core/support/job.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace duo {

inline constexpr std::chrono::seconds kSampleTime{600};

/// While it lives, `job()` is stopped by what stops `outer`, and once the time is over. A thread of its own waits.
class RunLimit
{
public:
    RunLimit(const JobContext& outer, std::chrono::seconds most);
    ~RunLimit() = default;
    RunLimit(const RunLimit&) = delete;
    RunLimit& operator=(const RunLimit&) = delete;

    [[nodiscard]] const JobContext& job() const { return m_job; }
    /// What the run gave, where it was not stopped for its time. @return EngineFailed naming the sample, if it was
    [[nodiscard]] Status ended(Status run, std::int64_t sample) const;

private:
    std::chrono::seconds m_most;
    std::stop_source m_stop;
    std::stop_callback<std::function<void()>> m_outer;
    JobContext m_job;
    std::atomic<bool> m_isOver = false;
    std::mutex m_mutex;
    std::condition_variable_any m_wait;
    std::jthread m_clock; // last: it uses the others
};

} // namespace duo
