// SPDX-License-Identifier: Apache-2.0
#include "app/layout/helper_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // POSIX wants it declared

namespace duo {
namespace {

constexpr int kPollSlice = 20; // ms, how long a stop may go unheard

Error failed(std::string what)
{
    return Error{ErrorCode::EngineFailed, std::move(what), {}, {}};
}

Error ended()
{
    return Error{ErrorCode::EngineFailed, "the layout helper ended", {},
        "try again, and install Duoscope again where that does not help"};
}

/// Child side of the socket as stdin and stdout; messages of libraries go nowhere.
int spawn(pid_t& pid, const std::string& program, const std::vector<std::string>& arguments, int childSocket)
{
    std::vector<std::string> words{program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, childSocket, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, childSocket, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int result = posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

} // namespace

HelperProcess::HelperProcess(pid_t pid, int socket)
    : m_pid(pid)
    , m_socket(socket)
{
}

HelperProcess::HelperProcess(HelperProcess&& other) noexcept
    : m_pid(std::exchange(other.m_pid, -1))
    , m_socket(std::exchange(other.m_socket, -1))
{
}

HelperProcess& HelperProcess::operator=(HelperProcess&& other) noexcept
{
    std::swap(m_pid, other.m_pid);
    std::swap(m_socket, other.m_socket);
    return *this;
}

HelperProcess::~HelperProcess()
{
    if (m_socket >= 0)
        close(m_socket);
    if (m_pid > 0) {
        kill(m_pid, SIGKILL);
        wait();
    }
}

Result<HelperProcess> HelperProcess::start(
    const std::filesystem::path& program, const std::vector<std::string>& arguments)
{
    std::array<int, 2> sockets{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
        return failed(std::string("the layout helper cannot start: ") + std::strerror(errno));
    fcntl(sockets[0], F_SETFL, O_NONBLOCK);
    pid_t pid = -1;
    const int result = spawn(pid, program.string(), arguments, sockets[1]);
    close(sockets[1]);
    if (result == 0)
        return HelperProcess(pid, sockets[0]);
    close(sockets[0]);
    Error error = failed(std::string("the layout helper cannot start: ") + std::strerror(result));
    error.where = program.string();
    return error;
}

Status HelperProcess::waitFor(short event, Deadline deadline, const std::stop_token& stop) const
{
    for (;;) {
        if (stop.stop_requested())
            return Error{ErrorCode::Cancelled, "stopped", {}, {}};
        const auto left
            = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
        if (left <= 0)
            return failed("the layout helper took too long");
        pollfd wanted{m_socket, event, 0};
        const int slice = stop.stop_possible() ? kPollSlice : 1000;
        const int ready = poll(&wanted, 1, static_cast<int>(std::min<std::int64_t>(left, slice)));
        if (ready > 0)
            return success();
        if (ready < 0 && errno != EINTR)
            return ended();
    }
}

Status HelperProcess::write(std::string_view bytes, Deadline deadline, const std::stop_token& stop)
{
    while (!bytes.empty()) {
        DUO_CHECK(waitFor(POLLOUT, deadline, stop));
        const ssize_t count = send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (count < 0 && errno != EAGAIN && errno != EINTR)
            return ended();
        bytes.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
    return success();
}

Result<std::string> HelperProcess::read(std::size_t size, Deadline deadline, const std::stop_token& stop)
{
    std::string bytes(size, '\0');
    std::size_t done = 0;
    while (done < size) {
        DUO_CHECK(waitFor(POLLIN, deadline, stop));
        const ssize_t count = recv(m_socket, bytes.data() + done, size - done, 0);
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
            return ended();
        done += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    }
    return bytes;
}

Result<std::string> HelperProcess::readToEnd(std::size_t most, Deadline deadline, const std::stop_token& stop)
{
    std::string bytes;
    std::string piece(std::size_t{1} << 16U, '\0');
    for (;;) {
        DUO_CHECK(waitFor(POLLIN, deadline, stop));
        const ssize_t count = recv(m_socket, piece.data(), piece.size(), 0);
        if (count == 0 || (count < 0 && errno == ECONNRESET)) // it may end without having read all its input
            return bytes;
        if (count < 0 && errno != EAGAIN && errno != EINTR)
            return ended();
        bytes.append(piece, 0, static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        if (bytes.size() > most)
            return failed("the layout helper wrote too much");
    }
}

void HelperProcess::closeInput()
{
    shutdown(m_socket, SHUT_WR);
}

int HelperProcess::wait()
{
    int status = 0;
    while (m_pid > 0 && waitpid(m_pid, &status, 0) < 0 && errno == EINTR) { }
    m_pid = -1;
    constexpr int kSignalBase = 128;
    return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
}

} // namespace duo
