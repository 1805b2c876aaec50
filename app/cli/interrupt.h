// SPDX-License-Identifier: Apache-2.0
// Interrupt: Ctrl+C and SIGTERM as a stop request, heard on a thread of its own.
#pragma once

#include <stop_token>
#include <thread>

namespace duo::cli {

/// While it lives, SIGINT and SIGTERM do not kill the program but request a stop. Make it before any other thread.
class Interrupt
{
public:
    Interrupt();
    [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }

private:
    std::stop_source m_stop;
    std::jthread m_listener;
};

} // namespace duo::cli
