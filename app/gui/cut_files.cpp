// SPDX-License-Identifier: Apache-2.0
#include "app/gui/cut_files.h"

#include <cstdint>

#include <csignal>
#include <sys/mman.h>
#include <unistd.h>

namespace duo::app {
namespace {

/// In bytes; asked for once, since not everything may be called in a signal.
const auto kPage = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));

void putZeros(int signal, siginfo_t* what, void* /*context*/)
{
    const auto address = reinterpret_cast<std::uintptr_t>(what->si_addr);
    void* page = reinterpret_cast<void*>(address / kPage * kPage);
    const bool isCutFile = what->si_code == BUS_ADRERR;
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (!isCutFile || ::mmap(page, kPage, PROT_READ, kFlags, -1, 0) == MAP_FAILED)
        std::signal(signal, SIG_DFL); // and comes again at once
}

} // namespace

void readCutFilesAsZeros()
{
    struct sigaction action {
    };
    action.sa_sigaction = putZeros;
    action.sa_flags = SA_SIGINFO;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, nullptr);
}

} // namespace duo::app
