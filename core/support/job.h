// SPDX-License-Identifier: Apache-2.0
// JobContext: how long work hears "stop" and says how far it is.
#pragma once

#include "core/support/result.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace duo {

/// How far one stage of a job is; total 0 means the end is not known.
struct Progress {
    std::string stage; // "calibrate", "export"
    std::int64_t done = 0;
    std::int64_t total = 0;
};

/// Handed to every call that can take longer than 50 ms; default: cannot be stopped, tells nobody.
/// `report` may be called from worker threads, one call at a time.
struct JobContext {
    std::stop_token stop;
    std::function<void(const Progress&)> report;

    [[nodiscard]] bool stopped() const { return stop.stop_requested(); }
    void tell(const Progress& progress) const
    {
        if (report)
            report(progress);
    }
};

/// The one Error of a stopped job.
inline Error cancelledError()
{
    return Error{ErrorCode::Cancelled, "stopped", {}, {}};
}

} // namespace duo
