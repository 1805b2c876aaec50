// SPDX-License-Identifier: Apache-2.0
// Memory that is handed from thread to thread by a way that a thread sanitizer does not see: another process, or a
// library that is not sanitized.
#pragma once

#if defined(__has_feature) // Clang
#if __has_feature(thread_sanitizer)
#define DUO_SEES_THREADS
#include <sanitizer/tsan_interface.h>
#endif
#endif

namespace duo {

#ifdef DUO_SEES_THREADS
inline constexpr bool kSeesThreads = true; // a thread sanitizer is at work
#else
inline constexpr bool kSeesThreads = false;
#endif

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
