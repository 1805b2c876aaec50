// SPDX-License-Identifier: Apache-2.0
// HelperProcess: a child with one socket as its stdin and stdout, written and read against a deadline.
#pragma once

#include "core/support/result.h"

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace duo {

using Deadline = std::chrono::steady_clock::time_point;

/// Killed and reaped when it goes out of life: no zombie, no orphan.
class HelperProcess
{
public:
    /// @return EngineFailed with the system's reason
    static Result<HelperProcess> start(const std::filesystem::path& program, const std::vector<std::string>& arguments);
    ~HelperProcess();
    HelperProcess(HelperProcess&& other) noexcept;
    HelperProcess& operator=(HelperProcess&& other) noexcept;

    /// All of them return EngineFailed ("the layout helper ended", "... took too long") or Cancelled.
    Status write(std::string_view bytes, Deadline deadline, const std::stop_token& stop);
    Result<std::string> read(std::size_t size, Deadline deadline, const std::stop_token& stop);
    Result<std::string> readToEnd(std::size_t most, Deadline deadline, const std::stop_token& stop);
    void closeInput(); // the child reads the end of its input
    int wait(); // exit code; 128 + signal if killed

    [[nodiscard]] pid_t pid() const { return m_pid; }

private:
    HelperProcess(pid_t pid, int socket);
    Status waitFor(short event, Deadline deadline, const std::stop_token& stop) const;
    pid_t m_pid = -1;
    int m_socket = -1;
};

} // namespace duo
