// SPDX-License-Identifier: Apache-2.0
// MappingGuard: a mapping whose file may shrink or whose drive may go away gives zeros then, and knows that it did.
#pragma once

#include <cstddef>

namespace duo {

/// The system ends a process that reads a page which its file no longer has. While a guard lives, pages of its mapping
/// from such a place on become zeros instead. One handler of the process serves all of them, because a signal has one;
/// what it does not know goes to the handler that was there before.
class MappingGuard
{
public:
    /// @param data, size of a whole mapping; nothing for no bytes
    MappingGuard(const std::byte* data, std::size_t size);
    ~MappingGuard();
    MappingGuard(const MappingGuard&) = delete;
    MappingGuard& operator=(const MappingGuard&) = delete;

    [[nodiscard]] bool hasLostPages() const; // some were read that the file does not have any more

private:
    struct Slot;
    struct Chunk;
    static void install();
    static Slot& freeSlot();
    static void answer(int signal, void* info);
    Slot* m_slot = nullptr;
};

} // namespace duo
