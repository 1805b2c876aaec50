// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

#include <csignal>
#include <ctime>

namespace duo::cli {

Interrupt::Interrupt()
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    m_listener = std::jthread([signals, source = m_stop](const std::stop_token& end) mutable {
        const timespec pause{.tv_sec = 0, .tv_nsec = 50'000'000};
        while (!end.stop_requested()) {
            if (sigtimedwait(&signals, nullptr, &pause) > 0)
                source.request_stop();
        }
    });
}

} // namespace duo::cli
