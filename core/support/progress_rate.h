// SPDX-License-Identifier: Apache-2.0
// ProgressRate: how fast a stage goes and how long it still takes, from what it tells.
#pragma once

#include "core/support/job.h"

#include <chrono>
#include <optional>
#include <string>

namespace duo {

class ProgressRate
{
public:
    using Clock = std::chrono::steady_clock;

    /// What was told at `now`; another stage starts anew.
    void note(const Progress& progress, Clock::time_point now);

    /// Steps in a second on average; nothing before half a second and two steps.
    [[nodiscard]] std::optional<double> perSecond() const;
    /// Nothing while the rate or the end is not known.
    [[nodiscard]] std::optional<double> secondsLeft() const;
    /// "45 samples/s, 4 s left", "2 min 5 s left" (what is counted is no sample), or "" while nothing is known.
    [[nodiscard]] std::string text() const;

private:
    Progress m_last;
    std::int64_t m_first = 0; // done when the stage was first heard of
    Clock::time_point m_start;
    std::chrono::duration<double> m_elapsed{0};
};

} // namespace duo
