// SPDX-License-Identifier: Apache-2.0
// parallelFor: the one way core uses several threads.
#pragma once

#include "core/support/job.h"

#include <cstddef>
#include <functional>

namespace duo {

/// Calls body(i) for i in [0, count) on up to `threads` threads (at least 1; the caller's is one of them).
/// Indices are handed out in order; the first error by index wins; after an error or a stop no new index starts.
/// @return that error, Cancelled if stopped, else success
Status parallelFor(
    std::size_t count, int threads, const JobContext& job, const std::function<Status(std::size_t)>& body);

/// Threads to use when the user named none: the cores of this machine, at least 1.
int defaultThreads();

} // namespace duo
