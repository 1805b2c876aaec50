// SPDX-License-Identifier: Apache-2.0
// FileLock: one of several windows has something to itself. The system takes it back when its process ends, however.
#pragma once

#include <filesystem>
#include <utility>

namespace duo::app {

class FileLock
{
public:
    enum class State { None, Held, Busy }; // Busy: another one holds it

    FileLock() = default;
    /// Takes it, by a file of that name, which is made where there is none. Where the system has no locks (a folder
    /// that cannot be written, a file system without them) it is held as well: nobody else is kept out then.
    static FileLock take(const std::filesystem::path& path);
    ~FileLock(); // gives it back, and the file with it
    FileLock(FileLock&& other) noexcept
        : m_state(std::exchange(other.m_state, State::None))
        , m_fd(std::exchange(other.m_fd, -1))
        , m_path(std::move(other.m_path))
    {
    }
    FileLock& operator=(FileLock&& other) noexcept
    {
        std::swap(m_state, other.m_state);
        std::swap(m_fd, other.m_fd);
        std::swap(m_path, other.m_path);
        return *this;
    }
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    [[nodiscard]] State state() const { return m_state; }

private:
    FileLock(State state, int fd, std::filesystem::path path)
        : m_state(state)
        , m_fd(fd)
        , m_path(std::move(path))
    {
    }

    State m_state = State::None;
    int m_fd = -1;
    std::filesystem::path m_path;
};

} // namespace duo::app
