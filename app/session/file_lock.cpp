// SPDX-License-Identifier: Apache-2.0
#include "app/session/file_lock.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace duo::app {
namespace {

/// Not where whoever held it before has removed the file meanwhile.
bool isStillThere(int fd, const std::filesystem::path& path)
{
    struct stat held {
    };
    struct stat named {
    };
    return ::fstat(fd, &held) == 0 && ::stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino
        && held.st_dev == named.st_dev;
}

} // namespace

FileLock FileLock::take(const std::filesystem::path& path)
{
    constexpr int kTries = 100; // each needs another window that ends at this very moment
    for (int i = 0; i < kTries; ++i) {
        const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
        if (fd < 0)
            return {State::Held, -1, path};
        if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
            const bool isBusy = errno == EWOULDBLOCK;
            ::close(fd);
            return {isBusy ? State::Busy : State::Held, -1, path};
        }
        if (isStillThere(fd, path))
            return {State::Held, fd, path};
        ::close(fd);
    }
    return {State::Busy, -1, path};
}

FileLock::~FileLock()
{
    if (m_fd < 0)
        return;
    ::unlink(m_path.c_str()); // while it is held: nobody can have taken it for his own
    ::close(m_fd);
}

} // namespace duo::app
