// SPDX-License-Identifier: Apache-2.0
#include "core/support/mapping_guard.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <limits>
#include <mutex>

#include <sys/mman.h>
#include <unistd.h>

namespace duo {
namespace {

constexpr std::uintptr_t kNowhere = std::numeric_limits<std::uintptr_t>::max();

struct sigaction previousAction; // as it was before ours
std::uintptr_t pageBytes = 4096;

} // namespace

struct MappingGuard::Slot {
    std::atomic<std::uintptr_t> begin = kNowhere; // kNowhere: free, or being filled
    std::atomic<std::uintptr_t> end = 0;
    std::atomic<bool> isTaken = false;
    std::atomic<bool> hasLost = false;
    std::atomic<std::size_t>* taken = nullptr; // of its chunk
};

/// Never freed, so that the handler may read it at any moment.
struct MappingGuard::Chunk {
    std::array<Slot, 256> slots;
    std::atomic<std::size_t> taken = 0; // of them
    std::atomic<Chunk*> next = nullptr;

    Chunk()
    {
        for (Slot& slot : slots)
            slot.taken = &taken;
    }

    static Chunk& first()
    {
        static Chunk chunk;
        return chunk;
    }
};

/// Runs in the thread that read the page; nothing here takes a lock or memory.
void MappingGuard::answer(int signal, void* info)
{
    const bool isSent = static_cast<siginfo_t*>(info)->si_code <= 0; // by a process, not by a read
    const auto address = isSent ? kNowhere : reinterpret_cast<std::uintptr_t>(static_cast<siginfo_t*>(info)->si_addr);
    for (Chunk* chunk = &Chunk::first(); chunk != nullptr; chunk = chunk->next.load()) {
        for (Slot& slot : chunk->slots) {
            const std::uintptr_t begin = slot.begin.load();
            const std::uintptr_t end = slot.end.load();
            if (address < begin || address >= end)
                continue;
            const std::uintptr_t page = address - address % pageBytes;
            slot.hasLost.store(true);
            constexpr int kInPlace = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
            if (::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ, kInPlace, -1, 0) != MAP_FAILED)
                return;
        }
    }
    ::sigaction(signal, &previousAction, nullptr); // the read is tried again, and ends there
    if (isSent)
        ::raise(signal);
}

void MappingGuard::install()
{
    static std::once_flag once;
    std::call_once(once, [] {
        pageBytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        static_cast<void>(Chunk::first());
        struct sigaction action {
        };
        action.sa_sigaction = [](int signal, siginfo_t* info, void*) { answer(signal, info); };
        action.sa_flags = SA_SIGINFO | SA_NODEFER;
        ::sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &previousAction);
    });
}

MappingGuard::Slot& MappingGuard::freeSlot()
{
    for (Chunk* chunk = &Chunk::first();;) {
        const bool isFull = chunk->taken.load() == chunk->slots.size(); // most are, where files are many
        for (std::size_t i = 0; i < chunk->slots.size() && !isFull; ++i) {
            bool isTaken = false;
            Slot& slot = chunk->slots[i];
            if (slot.isTaken.compare_exchange_strong(isTaken, true)) {
                ++chunk->taken;
                return slot;
            }
        }
        Chunk* next = chunk->next.load();
        if (next == nullptr) {
            auto* added = new Chunk; // stays for the life of the process: see Chunk
            if (chunk->next.compare_exchange_strong(next, added))
                next = added;
            else
                delete added;
        }
        chunk = next;
    }
}

MappingGuard::MappingGuard(const std::byte* data, std::size_t size)
{
    if (size == 0)
        return;
    install();
    m_slot = &freeSlot();
    const auto begin = reinterpret_cast<std::uintptr_t>(data);
    m_slot->hasLost.store(false);
    m_slot->end.store(begin + size);
    m_slot->begin.store(begin);
}

MappingGuard::~MappingGuard()
{
    if (m_slot == nullptr)
        return;
    m_slot->begin.store(kNowhere);
    m_slot->end.store(0);
    m_slot->isTaken.store(false);
    --*m_slot->taken;
}

bool MappingGuard::hasLostPages() const
{
    return m_slot != nullptr && m_slot->hasLost.load();
}

} // namespace duo
