// SPDX-License-Identifier: Apache-2.0
#include "app/engine/engine_memory.h"

#include <algorithm>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace duo {
namespace {

constexpr std::size_t kPage = 4096;

std::size_t wholePages(std::size_t size)
{
    return (std::max<std::size_t>(size, 1) + kPage - 1) / kPage * kPage;
}

} // namespace

EngineMemory::EngineMemory(Descriptor file, SharedMapping mapping)
    : m_file(std::move(file))
    , m_mapping(std::move(mapping))
{
    addFree(0, m_mapping.bytes().size());
}

EngineMemory::EngineMemory(EngineMemory&& other) noexcept
    : m_file(std::move(other.m_file))
    , m_mapping(std::move(other.m_mapping))
{
    addFree(0, m_mapping.bytes().size());
}

std::optional<EngineMemory> EngineMemory::make(std::size_t size)
{
    constexpr std::size_t kLeast = std::size_t{1} << 26U;
    for (size = wholePages(size); size >= kLeast; size = wholePages(size / 2)) {
        auto file = makeMemoryFile(size);
        if (!file)
            continue;
        if (auto mapping = SharedMapping::of(file->number(), 0, size, SharedMapping::Access::Write))
            return EngineMemory(std::move(*file), std::move(*mapping));
    }
    return std::nullopt;
}

void EngineMemory::addFree(std::size_t offset, std::size_t size)
{
    if (size == 0)
        return;
    m_free.emplace(offset, size);
    m_bySize.emplace(size, offset);
}

void EngineMemory::removeFree(std::map<std::size_t, std::size_t>::iterator place)
{
    const auto [begin, end] = m_bySize.equal_range(place->second);
    m_bySize.erase(std::find(begin, end, std::pair<const std::size_t, std::size_t>(place->second, place->first)));
    m_free.erase(place);
}

/// The smallest that fits: what was never used is one block, the largest, and so the last to be taken from.
std::byte* EngineMemory::take(std::size_t size)
{
    size = wholePages(size);
    const std::lock_guard lock(m_mutex);
    const auto found = m_bySize.lower_bound(size);
    if (found == m_bySize.end())
        return nullptr;
    const std::size_t offset = found->second;
    const std::size_t whole = found->first;
    removeFree(m_free.find(offset));
    addFree(offset + size, whole - size);
    m_taken.emplace(offset, size);
    m_takenBytes += size;
    m_usedEnd = std::max(m_usedEnd, offset + size);
    return m_mapping.bytes().data() + offset;
}

std::size_t EngineMemory::takenBytes() const
{
    const std::lock_guard lock(m_mutex);
    return m_takenBytes;
}

std::size_t EngineMemory::writtenBytes() const
{
    constexpr std::size_t kBlock = 512; // of st_blocks
    struct stat status {
    };
    return ::fstat(m_file.number(), &status) == 0 ? static_cast<std::size_t>(status.st_blocks) * kBlock : 0;
}

bool EngineMemory::giveBack(const void* block)
{
    const auto place = offsetOf(block, 0);
    if (!place)
        return false;
    const std::lock_guard lock(m_mutex);
    const auto taken = m_taken.find(*place);
    if (taken == m_taken.end())
        return false;
    std::size_t offset = taken->first;
    std::size_t size = taken->second;
    m_takenBytes -= size;
    m_taken.erase(taken);
    const auto next = m_free.lower_bound(offset);
    if (next != m_free.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == offset) {
            offset = before->first;
            size += before->second;
            removeFree(before);
        }
    }
    if (next != m_free.end() && offset + size == next->first) {
        size += next->second;
        removeFree(next);
    }
    addFree(offset, size);
    return true;
}

std::optional<std::size_t> EngineMemory::offsetOf(const void* bytes, std::size_t size) const
{
    const auto start = reinterpret_cast<std::uintptr_t>(m_mapping.bytes().data());
    const auto address = reinterpret_cast<std::uintptr_t>(bytes);
    if (address < start || address - start >= this->size() || size > this->size() - (address - start))
        return std::nullopt;
    return address - start;
}

void EngineMemory::trim(std::size_t most)
{
    const std::lock_guard lock(m_mutex);
    if (m_usedEnd - m_takenBytes <= most)
        return;
    std::size_t end = 0;
    for (const auto& [offset, size] : m_taken)
        end = std::max(end, offset + size);
    for (const auto& [offset, size] : m_free) {
        if (offset < m_usedEnd)
            ::fallocate(m_file.number(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                static_cast<off_t>(std::min(size, m_usedEnd - offset)));
    }
    m_usedEnd = end;
}

} // namespace duo
