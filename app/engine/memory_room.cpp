// SPDX-License-Identifier: Apache-2.0
#include "app/engine/memory_room.h"

#include "core/engine/wire.h"
#include "core/support/available_memory.h"
#include "core/support/sanitized.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace duo {
namespace {

constexpr std::size_t kUnasked = std::size_t{1} << 26U; // bytes more
constexpr std::chrono::seconds kGranted{1};

/// What stays for others: of what was left when this was asked first, or it would be less and less as memory is used.
std::uint64_t reserve()
{
    static const std::uint64_t bytes = [] {
        const auto available = availableMemory();
        return available ? *available - takeableOf(*available) : 0;
    }();
    return bytes;
}

/// What may be taken of the system's memory now.
std::uint64_t takeable()
{
    const std::uint64_t kept = reserve();
    const auto available = availableMemory();
    return available ? *available - std::min(*available, kept) : std::numeric_limits<std::uint64_t>::max();
}

constexpr const char* kMapped = "%lu"; // of what the system tells of this process, in pages
constexpr const char* kOwn = "%*u %*u %*u %*u %*u %lu"; // as its limit counts it; the stack may be among it

std::uint64_t bytesNow(const char* which)
{
    std::uint64_t pages = 0;
    std::FILE* file = std::fopen("/proc/self/statm", "re");
    if (file == nullptr)
        return 0;
    const int read = std::fscanf(file, which, &pages);
    std::fclose(file);
    return read == 1 ? pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

/// No more than `bytes` beyond `now`.
void limit(__rlimit_resource_t resource, std::uint64_t now, std::uint64_t bytes)
{
    rlimit limit{};
    if (kIsSanitized || ::getrlimit(resource, &limit) != 0 || bytes > std::numeric_limits<rlim_t>::max() - now)
        return;
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, now + bytes);
    ::setrlimit(resource, &limit);
}

} // namespace

bool MemoryRoom::has(std::size_t size, const EngineMemory& memory)
{
    const std::lock_guard lock(m_mutex);
    const Clock::time_point now = Clock::now();
    const std::size_t taken = memory.takenBytes();
    if (now < m_until && taken <= m_granted && size <= m_granted - taken)
        return true;
    const std::size_t written = memory.writtenBytes();
    const std::size_t unwritten = taken - std::min(taken, written);
    const std::uint64_t room = takeable();
    if (unwritten > room || size > room - unwritten)
        return false;
    m_granted = taken + size + kUnasked;
    m_until = now + kGranted;
    return true;
}

void MemoryRoom::limitOwn()
{
    limit(RLIMIT_DATA, bytesNow(kOwn), takeable());
}

void MemoryRoom::limitMapped(std::uint64_t bytes)
{
    limit(RLIMIT_AS, bytesNow(kMapped), bytes);
}

void offerToBeKilled()
{
    constexpr const char* kFile = "/proc/self/oom_score_adj";
    constexpr int kOffered = 500; // of 1,000, each a thousandth of the memory that there is
    int present = kOffered;
    std::ifstream(kFile) >> present;
    const std::string text = std::to_string(kOffered);
    const Descriptor file(present < kOffered ? ::open(kFile, O_WRONLY | O_CLOEXEC) : -1);
    if (file.valid() && ::write(file.number(), text.data(), text.size()) < 0)
        return; // as it was: the system does without
}

} // namespace duo
