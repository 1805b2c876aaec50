// SPDX-License-Identifier: Apache-2.0
// Interrupt: Ctrl+C and SIGTERM as a stop request, heard on a thread of its own.
#pragma once

#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace duo::cli {

/// While it lives, SIGINT and SIGTERM do not kill the program but request a stop. Make it before any other thread.
class Interrupt
{
public:
    Interrupt();
    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
    /// Called on another thread if it still lives a moment after a stop was requested.
    void whenOverdue(std::function<void()> leave);

private:
    void listen(const std::stop_token& end);
    void leaveLater(const std::stop_token& end);

    std::stop_source m_stop;
    std::mutex m_mutex;
    std::function<void()> m_leave;
    std::jthread m_listener; // last: it uses the others
};

} // namespace duo::cli
