// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

#include <chrono>
#include <csignal>
#include <ctime>

namespace duo::cli {
namespace {

sigset_t stopSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int one : {SIGINT, SIGTERM, SIGHUP}) { // the last one: the terminal was closed
        struct sigaction present {
        };
        const bool isIgnored = ::sigaction(one, nullptr, &present) == 0 && present.sa_handler == SIG_IGN;
        if (!isIgnored) // by who started us: nohup
            sigaddset(&signals, one);
    }
    return signals;
}

} // namespace

Interrupt::Interrupt()
{
    const sigset_t signals = stopSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    m_listener = std::jthread([this](const std::stop_token& end) { listen(end); });
}

void Interrupt::whenOverdue(std::function<void()> leave)
{
    const std::lock_guard lock(m_mutex);
    m_leave = std::move(leave);
}

void Interrupt::listen(const std::stop_token& end)
{
    const sigset_t signals = stopSignals();
    const timespec pause{.tv_sec = 0, .tv_nsec = 50'000'000};
    while (!end.stop_requested()) {
        if (sigtimedwait(&signals, nullptr, &pause) <= 0)
            continue;
        m_stop.request_stop();
        leaveLater(end);
    }
}

void Interrupt::leaveLater(const std::stop_token& end)
{
    constexpr std::chrono::milliseconds kPatience{20};
    constexpr std::chrono::milliseconds kPause{5};
    for (auto waited = std::chrono::milliseconds(0); waited < kPatience && !end.stop_requested(); waited += kPause)
        std::this_thread::sleep_for(kPause);
    const std::lock_guard lock(m_mutex);
    if (!end.stop_requested() && m_leave)
        m_leave();
}

} // namespace duo::cli
