// SPDX-License-Identifier: Apache-2.0
// MemoryRoom: whether the system has memory for what a model wants. It gives addresses to whoever asks, and kills a
// process once they are used.
#pragma once

#include <atomic>
#include <cstddef>

namespace duo {

class MemoryRoom
{
public:
    /// Before a block of so many bytes is taken. The system is asked for large blocks, and once in a while for many
    /// small ones. Thread-safe.
    bool has(std::size_t size);

    /// From now on this process may take what there is room for, beyond what it has, as memory of its own; what is more
    /// is an allocation that fails. Mapped files and shared memory are not among it (not under a sanitizer, which maps
    /// terabytes).
    static void limitOwn();

private:
    std::atomic<std::size_t> m_unasked = 0; // bytes since the system was asked last
};

/// The system, where it must kill a process, takes this one rather than the program that it works for.
void offerToBeKilled();

} // namespace duo
