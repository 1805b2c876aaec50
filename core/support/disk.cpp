// SPDX-License-Identifier: Apache-2.0
#include "core/support/disk.h"

#include "core/support/leftovers.h"

#include <atomic>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace duo {
namespace {

namespace fs = std::filesystem;

std::atomic<DiskFault*> g_fault = nullptr;

/// 0 as well where there is nothing in front of the steps.
int faultBefore(DiskStep step, const fs::path& path, std::size_t& bytes)
{
    DiskFault* const fault = g_fault.load(std::memory_order_acquire);
    return fault == nullptr ? 0 : fault->before(step, path, bytes);
}

template <typename Act> std::error_code take(DiskStep step, const fs::path& path, const Act& act)
{
    std::size_t noBytes = 0;
    if (const int reason = faultBefore(step, path, noBytes); reason != 0)
        return systemError(reason);
    std::error_code error;
    act(error);
    return error;
}

} // namespace

DiskFault* setDiskFault(DiskFault* fault)
{
    return g_fault.exchange(fault);
}

std::error_code makeFolders(const fs::path& folder)
{
    return take(DiskStep::MakeFolder, folder, [&](std::error_code& error) { fs::create_directories(folder, error); });
}

std::error_code makeOwnFolder(const fs::path& folder)
{
    return take(DiskStep::MakeFolder, folder, [&](std::error_code& error) {
        if (::mkdir(folder.c_str(), S_IRWXU) != 0)
            error = systemError(errno);
    });
}

std::error_code linkFile(const fs::path& from, const fs::path& to)
{
    return take(DiskStep::Link, to, [&](std::error_code& error) { fs::create_hard_link(from, to, error); });
}

std::error_code pointTo(const fs::path& file, const fs::path& link)
{
    return take(DiskStep::Link, link, [&](std::error_code& error) { fs::create_symlink(file, link, error); });
}

std::error_code renameFile(const fs::path& from, const fs::path& to)
{
    return take(DiskStep::Rename, to, [&](std::error_code& error) { fs::rename(from, to, error); });
}

std::error_code flushFolder(const fs::path& folder)
{
    return take(DiskStep::Flush, folder, [&](std::error_code& error) {
        const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
            return; // one may write into a folder that one may not read
        if (::fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP)
            error = systemError(errno);
        ::close(fd);
    });
}

std::error_code removeFile(const fs::path& file)
{
    return take(DiskStep::Remove, file, [&](std::error_code& error) { fs::remove(file, error); });
}

std::error_code removeFolder(const fs::path& folder)
{
    return take(DiskStep::Remove, folder, [&](std::error_code& error) { fs::remove_all(folder, error); });
}

NewFile::NewFile(fs::path path)
    : m_path(std::move(path))
{
    constexpr mode_t kMode = 0666; // less what the user's mask takes away
    constexpr int kTries = 100; // each needs somebody who looks for leftovers at this very moment
    m_error = take(DiskStep::Create, m_path, [&](std::error_code& error) {
        for (int i = 0; i < kTries; ++i) {
            m_fd = ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, kMode);
            if (m_fd < 0) {
                error = systemError(errno);
                return;
            }
            if (holdOpened(m_fd, m_path) != Holding::Busy) {
                if (::ftruncate(m_fd, 0) != 0)
                    error = systemError(errno);
                return;
            }
            ::close(std::exchange(m_fd, -1));
        }
        error = systemError(EBUSY);
    });
}

NewFile::~NewFile()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

void NewFile::write(std::span<const std::byte> bytes)
{
    while (!bytes.empty() && !m_error) {
        std::size_t size = bytes.size();
        if (const int reason = faultBefore(DiskStep::Write, m_path, size); reason != 0) {
            m_error = systemError(reason);
            return;
        }
        const ssize_t written = ::write(m_fd, bytes.data(), size);
        if (written > 0)
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        else if (written == 0 || errno != EINTR)
            m_error = systemError(written == 0 ? ENOSPC : errno);
    }
}

void NewFile::flush()
{
    if (!m_error)
        m_error = take(DiskStep::Flush, m_path, [&](std::error_code& error) {
            if (::fsync(m_fd) != 0)
                error = systemError(errno);
        });
}

} // namespace duo
