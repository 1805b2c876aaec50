// SPDX-License-Identifier: Apache-2.0
#include "core/support/run_command.h"

#include "core/support/own_process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace duo {
namespace {

constexpr std::size_t kMostOutput = std::size_t{1} << 20U;
constexpr int kPollMs = 50; // between looks at whether to stop

Error failure(const std::string& what, const std::string& command)
{
    return {ErrorCode::BadData, what, command, "try it in a shell"};
}

class Child
{
public:
    ~Child()
    {
        if (m_out >= 0)
            ::close(m_out);
        if (m_pid > 0) {
            ::kill(-m_pid, SIGKILL);
            ::waitpid(m_pid, nullptr, 0);
        }
    }
    Child() = default;
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    bool start(const std::string& command)
    {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            return false;
        m_out = ends[0];
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
        const sigset_t ignored = ignoredByOwnProcess();
        posix_spawnattr_setsigdefault(&attributes, &ignored);
        std::string shell = "sh";
        std::string flag = "-c";
        std::string text = command;
        const std::array<char*, 4> arguments{shell.data(), flag.data(), text.data(), nullptr};
        const int result = posix_spawn(&m_pid, "/bin/sh", &actions, &attributes, arguments.data(), environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        ::close(ends[1]);
        m_pid = result == 0 ? m_pid : 0;
        return result == 0;
    }

    /// Until it closes its output. @return false where it was stopped or printed too much
    bool read(std::string& output, const JobContext& job) const
    {
        std::array<char, 4096> buffer{};
        while (!job.stopped() && output.size() <= kMostOutput) {
            pollfd ready{m_out, POLLIN, 0};
            if (::poll(&ready, 1, kPollMs) == 0)
                continue;
            const ssize_t count = ::read(m_out, buffer.data(), buffer.size());
            if (count < 0 && errno == EINTR)
                continue;
            if (count <= 0)
                return true;
            output.append(buffer.data(), static_cast<std::size_t>(count));
        }
        return false;
    }

    /// Its exit code once it has ended; -1 where a signal ended it, nothing where the job was stopped before.
    std::optional<int> wait(const JobContext& job)
    {
        int status = 0;
        while (::waitpid(m_pid, &status, WNOHANG) == 0) {
            if (job.stopped())
                return std::nullopt;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        m_pid = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    pid_t m_pid = 0;
    int m_out = -1;
};

} // namespace

Result<std::string> runCommand(const std::string& command, const JobContext& job)
{
    Child child;
    if (!child.start(command))
        return failure("the command cannot be started", command);
    std::string output;
    const bool isWhole = child.read(output, job);
    if (job.stopped())
        return cancelledError();
    if (!isWhole)
        return failure("the command prints more than a megabyte", command);
    const auto code = child.wait(job);
    if (!code)
        return cancelledError();
    if (*code != 0)
        return failure("the command failed with exit code " + std::to_string(*code), command);
    return output;
}

std::string shellQuoted(const std::string& text)
{
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

} // namespace duo
