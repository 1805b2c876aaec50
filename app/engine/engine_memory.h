// SPDX-License-Identifier: Apache-2.0
// EngineMemory: where the engine's values lie, so that the program sees them without a copy.
#pragma once

#include "core/engine/shared_memory.h"

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace duo {

/// A stretch of addresses that two processes see, given out in blocks of whole pages. What is freed is used again, and
/// what is more than a little of it goes back to the system. Thread-safe.
class EngineMemory
{
public:
    /// As large as there are addresses for, at most `size`. @return nothing where the system has no memory to share
    static std::optional<EngineMemory> make(std::size_t size);
    EngineMemory(EngineMemory&& other) noexcept; // of one that nobody uses yet

    [[nodiscard]] int file() const { return m_file.number(); }
    [[nodiscard]] std::size_t size() const { return m_mapping.bytes().size(); }

    [[nodiscard]] std::size_t takenBytes() const; // that are given out
    [[nodiscard]] std::size_t writtenBytes() const; // that the system has given memory for, as it is asked
    /// @return null where no such block is left
    std::byte* take(std::size_t size);
    /// @return false where it is no block of ours
    bool giveBack(const void* block);
    /// Where bytes lie in it, if they do.
    [[nodiscard]] std::optional<std::size_t> offsetOf(const void* bytes, std::size_t size) const;
    /// Gives free pages back to the system where they are many.
    void trim(std::size_t most);

private:
    EngineMemory(Descriptor file, SharedMapping mapping);
    void addFree(std::size_t offset, std::size_t size);
    void removeFree(std::map<std::size_t, std::size_t>::iterator place);

    Descriptor m_file;
    SharedMapping m_mapping;
    mutable std::mutex m_mutex;
    std::map<std::size_t, std::size_t> m_free; // size by offset; neighbours are one
    std::multimap<std::size_t, std::size_t> m_bySize; // the same, offset by size
    std::unordered_map<std::size_t, std::size_t> m_taken; // size by offset
    std::size_t m_takenBytes = 0;
    std::size_t m_usedEnd = 0; // nothing behind it was ever written, or it has gone back
};

} // namespace duo
