// SPDX-License-Identifier: Apache-2.0
// MemoryRoom: whether the system has memory for what a model wants. It gives addresses to whoever asks, and kills a
// process once they are used.
#pragma once

#include "app/engine/engine_memory.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace duo {

class MemoryRoom
{
public:
    /// Before a block of so many bytes is taken of `memory`: what was taken before and not written yet counts as well.
    /// To ask the system takes a tenth of a millisecond: it is asked as more is taken than when it was asked last, and
    /// again after a second. Thread-safe.
    bool has(std::size_t size, const EngineMemory& memory);

    /// From now on this process may take what there is room for, beyond what it has, as memory of its own; what is more
    /// is an allocation that fails. Mapped files and shared memory are not among it (not under a sanitizer, which maps
    /// terabytes).
    static void limitOwn();
    /// It may map so many bytes beyond what it has mapped (not under a sanitizer either).
    static void limitMapped(std::uint64_t bytes);

private:
    using Clock = std::chrono::steady_clock;

    std::mutex m_mutex;
    std::size_t m_granted = 0; // bytes that may be used without asking
    Clock::time_point m_until; // when that ends
};

/// The system, where it must kill a process, takes this one rather than the program that it works for.
void offerToBeKilled();

} // namespace duo
