// SPDX-License-Identifier: Apache-2.0
// Memory that is handed from thread to thread by way of another process, which a thread sanitizer does not see.
#pragma once

#if defined(__has_feature) // Clang
#if __has_feature(thread_sanitizer)
#define DUO_SEES_THREADS
#include <sanitizer/tsan_interface.h>
#endif
#endif

namespace duo {

/// This thread does no more with the memory that `start` stands for: before the message that says so.
inline void handOver([[maybe_unused]] void* start)
{
#ifdef DUO_SEES_THREADS
    __tsan_release(start);
#endif
}

/// This thread has it now: behind the message that says so.
inline void takeOver([[maybe_unused]] void* start)
{
#ifdef DUO_SEES_THREADS
    __tsan_acquire(start);
#endif
}

} // namespace duo
